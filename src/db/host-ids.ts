import { sql } from "drizzle-orm";
import type { RegionClaim } from "../frontier/region.ts";
import type { Room } from "./admission-room.ts";
import { isCovered } from "./blocks.ts";
import { quoted, texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { keep, run } from "./statement.ts";

export interface HostIdentity {
  readonly id: number;
  readonly blocked: boolean;
  /** It had reached its quota. */
  readonly full: boolean;
  /** What its documents have shown: of the region, not so, too few are known; it failed. */
  readonly standing: "in" | "below" | "open" | "out";
}

/**
 * Hosts by name, entered where they are new; sorted by name, so that no two batches wait in a
 * circle.
 */
export async function ensureHosts(
  db: Db,
  named: readonly {
    readonly host: string;
    readonly domain: string;
    readonly region?: RegionClaim;
  }[],
  room: Room,
): Promise<Ensured> {
  const domains = new Map(named.map((row) => [row.host, row.domain]));
  const names = [...domains.keys()];
  const { hosts, left } = await findHosts(db, names, room);
  // A link that only asks whether its host is of the region makes none known.
  const wanted = new Set(named.filter(({ region }) => region !== "asks").map(({ host }) => host));
  const fresh = names.filter((name) => !hosts.has(name) && wanted.has(name)).sort();
  if (fresh.length === 0) return { hosts, left };
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
  for (const [name, host] of (await findHosts(db, fresh, room)).hosts) hosts.set(name, host);
  return { hosts, left };
}

export interface Ensured {
  readonly hosts: Map<string, HostIdentity>;
  /** So many more URLs may be known in all. */
  readonly left: number;
}

async function findHosts(db: Db, names: readonly string[], room: Room): Promise<Ensured> {
  const rows = await findRows(db, { names: quoted(names), urlsMax: room.hostUrlsMax });
  const hosts = new Map<string, HostIdentity>();
  for (const { name, id, blocked, full, standing } of rows) {
    if (name !== null) hosts.set(name, { id: Number(id), blocked, full, standing });
  }
  return { hosts, left: Math.max(0, room.frontierUrlsMax - rows[0]!.known) };
}

interface FoundHost {
  readonly known: number;
  /** Null: there is no such host. */
  readonly name: string | null;
  readonly id: string;
  readonly blocked: boolean;
  readonly full: boolean;
  readonly standing: HostIdentity["standing"];
}

/** The counters are not locked, or all admissions would stand in one line. */
const findRows = keep<FoundHost>(
  () => sql`select f.known, h.* from (
      select coalesce(sum(case name when 'accepted' then value else -value end), 0)::float8 as known
      from counters where name in ('accepted', 'removed')
    ) f left join (
      select name, id, state = 'blocked' as blocked,
        url_count >= coalesce(urls_max, ${sql.placeholder("urlsMax")}::integer)
          or coalesce(byte_count >= bytes_max, false) as full,
        case when state = 'out_of_region' then 'out' when region_count < 3 then 'open'
          when region_sum >= 500 * region_count then 'in' else 'below' end as standing
      from hosts where name = any(${sql.placeholder("names")}::text[])
    ) h on true`,
);
