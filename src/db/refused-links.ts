import { type SQL, sql } from "drizzle-orm";
import type { NoRoom, Room } from "./admission-room.ts";
import { bigints, integers, texts } from "./bulk.ts";
import { wakeHosts } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { refusedLinks } from "./schema/refused-links.ts";
import type { refusedSitemaps } from "./schema/refused-sitemaps.ts";
import { inTransaction, run } from "./statement.ts";

/** Hosts of one page that are remembered as full; of others it tells at its next visit. */
export const PLACES_MAX = 8;
/** Hosts with room that are looked after at once. */
const OPEN_MAX = 200;
/** By then every process knows of the room: what it keeps of quotas is 2 s old at most. */
export const SOON = sql`interval '3 seconds'`;
/** How the frontier is called among hosts. */
const FRONTIER = "";

export interface RefusedLinks {
  readonly urlId: number;
  /** Where there was no room; `""`: anywhere. */
  readonly hosts: readonly string[];
}

/**
 * Under which name a link that was refused is remembered; null: it waits for no room. There will be
 * no more out of the region.
 */
export function roomAt(reason: NoRoom, host: string): string | null {
  if (reason === "same page" || reason === "scope") return null;
  return reason === "frontier full" ? FRONTIER : host;
}

/** Remembers pages whose links found no room: nobody else would read them again in time. */
export async function noteRefusedLinks(db: Db, pages: readonly RefusedLinks[]): Promise<void> {
  const rows = pages.flatMap(({ urlId, hosts }) =>
    hosts.slice(0, PLACES_MAX).map((host) => ({ urlId, host })),
  );
  if (rows.length === 0) return;
  await run(
    db,
    sql`insert into ${refusedLinks} (host, url_id)
      select host, url_id from unnest(${texts(rows.map(({ host }) => host))},
        ${bigints(rows.map(({ urlId }) => urlId))}) as r (host, url_id)
      on conflict do nothing`,
  );
}

/**
 * Pages whose links there is room for now come due, no more of a host than it has room for and
 * `limit` in all. Their validators go: a 304 would not tell their links. Gives their number.
 */
export function wakeRefusedLinks(db: Db, room: Room, limit: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const open = await openPlaces(tx, refusedLinks, room, limit);
    if (open.length === 0) return 0;
    const rows = await run<{ host_id: number; state: string }>(tx, wakeStatement(open, limit));
    const hosts = rows.filter(({ state }) => state === "pending").map((row) => row.host_id);
    await wakeHosts(tx, [...new Set(hosts)]);
    return rows.length;
  });
}

interface Open {
  host: string;
  /** So many more URLs may be known there, `limit` at most. */
  vacant: number;
}

/** Places with room that something waits for. */
export const openPlaces = (
  tx: Db,
  waiting: typeof refusedLinks | typeof refusedSitemaps,
  room: Room,
  limit: number,
): Promise<Open[]> => run<Open>(tx, openStatement(waiting, room, limit));

/** One look at the index for each host that is waited for, however many pages do. */
const openStatement = (
  waiting: typeof refusedLinks | typeof refusedSitemaps,
  room: Room,
  limit: number,
): SQL => sql`with recursive full_at (host) as (
    (select host from ${waiting} order by host limit 1)
    union all
    select (select r.host from ${waiting} r where r.host > f.host order by r.host limit 1)
    from full_at f where f.host is not null
  ), frontier as (
    select ${room.frontierUrlsMax}::float8
      - coalesce(sum(case name when 'accepted' then value else -value end), 0)::float8 as vacant
    from counters where name in ('accepted', 'removed')
  )
  select host, vacant from (
    select f.host, least(${limit}::float8, frontier.vacant, case
      when f.host = ${FRONTIER} then frontier.vacant
      when h.byte_count >= h.bytes_max then 0
      else coalesce(h.urls_max, ${room.hostUrlsMax}::integer) - coalesce(h.url_count, 0)
    end)::integer as vacant
    from full_at f cross join frontier left join hosts h on h.name = f.host
    where f.host is not null
  ) o where vacant > 0 order by host limit ${OPEN_MAX}::integer`;

/** What is done or failed becomes due, and pending when that is seen (due.ts). */
const wakeStatement = (open: readonly Open[], limit: number): SQL => sql`with open as (
    select * from unnest(${texts(open.map(({ host }) => host))},
      ${integers(open.map(({ vacant }) => vacant))}) as o (host, vacant)
  ), candidates as materialized (
    select distinct url_id from (
      select r.url_id from open cross join lateral (
        select url_id from refused_links r where r.host = open.host
        order by url_id limit open.vacant
      ) r limit ${limit}::integer
    ) c
  ), waiting as materialized (
    select u.id from urls u
    where u.id = any(array(select url_id from candidates))
      and u.state in ('pending', 'done', 'failed')
    order by u.id for no key update skip locked
  ), over as (
    -- Those that are visited or locked just now stay for the next look.
    select url_id from candidates c where url_id in (select id from waiting)
      or not exists (select from urls u where u.id = c.url_id and u.state <> 'blocked')
  ), forgotten as (
    delete from refused_links r using open, over
    where r.host = open.host and r.url_id = over.url_id
  )
  update urls u set
    next_crawl_at = least(u.next_crawl_at, statement_timestamp() + ${SOON}),
    etag = null, last_modified = null
  from waiting where u.id = waiting.id
  returning u.host_id, u.state`;
