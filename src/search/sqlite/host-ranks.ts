import type { Database } from "bun:sqlite";
import type { HostRank } from "../port.ts";

/** Called within a transaction. */
export function writeRanks(db: Database, ranks: readonly HostRank[]): void {
  const write = db.query(
    "insert or replace into host_ranks (host, authority, region) values (?, ?, ?)",
  );
  const remove = db.query("delete from host_ranks where host = ?");
  for (const { host, authority, region } of ranks) {
    if (authority > 0 || region !== null)
      write.run(host, within(authority), region && within(region));
    else remove.run(host);
  }
}

export function readRanks(db: Database, hosts: readonly string[]): HostRank[] {
  const statement = db.query<HostRank, [string]>(
    `select h.host, authority, region from json_each(?) as own
     cross join host_ranks h on h.host = own.value`,
  );
  return statement.all(JSON.stringify(hosts));
}

const within = (rank: number): number => Math.min(Math.max(rank, 0), 1);
