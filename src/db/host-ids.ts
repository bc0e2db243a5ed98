import { sql } from "drizzle-orm";
import { isCovered } from "./blocks.ts";
import { texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

export interface HostIdentity {
  readonly id: number;
  readonly blocked: boolean;
  /** It had reached its quota. */
  readonly full: boolean;
}

/**
 * Hosts by name, entered where they are new; sorted by name, so that no two batches wait in a
 * circle.
 */
export async function ensureHosts(
  db: Db,
  named: readonly { readonly host: string; readonly domain: string }[],
  urlsMax: number,
): Promise<Map<string, HostIdentity>> {
  const domains = new Map(named.map((row) => [row.host, row.domain]));
  const known = await findHosts(db, [...domains.keys()], urlsMax);
  const fresh = [...domains.keys()].filter((name) => !known.has(name)).sort();
  if (fresh.length === 0) return known;
  await run(
    db,
    // A page of a blocked domain may have named it before the block was known to its reader.
    sql`insert into hosts (name, domain, state, reason)
      select name, domain, case when covered then 'blocked' else 'active' end::host_state,
        case when covered then 'its domain is blocked' end
      from (select i.name, i.domain, ${isCovered(sql`i.name`, sql`i.domain`)} as covered
      from unnest(${texts(fresh)},
        ${texts(fresh.map((name) => domains.get(name)!))}) as i (name, domain)) n
      on conflict (name) do nothing`,
  );
  // A second look and no RETURNING: another process may have entered some of them just now.
  for (const [name, host] of await findHosts(db, fresh, urlsMax)) known.set(name, host);
  return known;
}

async function findHosts(
  db: Db,
  names: readonly string[],
  urlsMax: number,
): Promise<Map<string, HostIdentity>> {
  if (names.length === 0) return new Map();
  const rows = await run<{ name: string; id: string; blocked: boolean; full: boolean }>(
    db,
    sql`select name, id, state = 'blocked' as blocked,
        url_count >= coalesce(urls_max, ${urlsMax}::integer)
          or coalesce(byte_count >= bytes_max, false) as full
      from hosts
      where name = any(${texts(names)})`,
  );
  return new Map(rows.map(({ name, id, ...facts }) => [name, { id: Number(id), ...facts }]));
}
