import type { Database } from "bun:sqlite";
import type { HostRank } from "../port.ts";

/** Called within a transaction. */
export function writeRanks(db: Database, ranks: readonly HostRank[]): void {
  const write = db.query("insert or replace into host_ranks (host, authority) values (?, ?)");
  const remove = db.query("delete from host_ranks where host = ?");
  for (const { host, authority } of ranks) {
    if (authority > 0) write.run(host, Math.min(authority, 1));
    else remove.run(host);
  }
}
