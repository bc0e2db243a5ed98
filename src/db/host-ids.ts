import { sql } from "drizzle-orm";
import { texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

export interface HostIdentity {
  readonly id: number;
  readonly blocked: boolean;
}

/**
 * Hosts by name, entered where they are new; sorted by name, so that no two batches wait in a
 * circle.
 */
export async function ensureHosts(
  db: Db,
  named: readonly { readonly host: string; readonly domain: string }[],
): Promise<Map<string, HostIdentity>> {
  const domains = new Map(named.map((row) => [row.host, row.domain]));
  const known = await findHosts(db, [...domains.keys()]);
  const fresh = [...domains.keys()].filter((name) => !known.has(name)).sort();
  if (fresh.length === 0) return known;
  await run(
    db,
    sql`insert into hosts (name, domain)
      select name, domain from unnest(${texts(fresh)},
        ${texts(fresh.map((name) => domains.get(name)!))}) as i (name, domain)
      on conflict (name) do nothing`,
  );
  // A second look and no RETURNING: another process may have entered some of them just now.
  for (const [name, host] of await findHosts(db, fresh)) known.set(name, host);
  return known;
}

async function findHosts(db: Db, names: readonly string[]): Promise<Map<string, HostIdentity>> {
  if (names.length === 0) return new Map();
  const rows = await run<{ name: string; id: string; blocked: boolean }>(
    db,
    sql`select name, id, state = 'blocked' as blocked from hosts
      where name = any(${texts(names)})`,
  );
  return new Map(rows.map(({ name, id, blocked }) => [name, { id: Number(id), blocked }]));
}
