import { sql } from "drizzle-orm";
import type { Room } from "./admission-room.ts";
import { integers, texts } from "./bulk.ts";
import { wakeHosts } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { openPlaces, PLACES_MAX, SOON } from "./refused-links.ts";
import { refusedSitemaps } from "./schema/refused-sitemaps.ts";
import { inTransaction, run } from "./statement.ts";

/** Remembers a sitemap whose URLs found no room there: unchanged it would not tell them again. */
export async function noteRefusedSitemap(
  db: Db,
  sitemapId: number,
  places: Iterable<string>,
): Promise<void> {
  const hosts = [...places].slice(0, PLACES_MAX);
  if (hosts.length === 0) return;
  await run(
    db,
    sql`insert into ${refusedSitemaps} (host, sitemap_id)
      select host, ${sitemapId}::integer from unnest(${texts(hosts)}) as r (host)
      on conflict do nothing`,
  );
}

/**
 * Sitemaps whose URLs there is room for now come due, no more of a place than it has room for and
 * `limit` in all. Their validators go: a 304 would tell nothing. Gives their number.
 */
export function wakeRefusedSitemaps(db: Db, room: Room, limit: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const open = await openPlaces(tx, refusedSitemaps, room, limit);
    if (open.length === 0) return 0;
    const rows = await run<{ host_id: number }>(
      tx,
      sql`with open as (
          select * from unnest(${texts(open.map(({ host }) => host))},
            ${integers(open.map(({ vacant }) => vacant))}) as o (host, vacant)
        ), marks as materialized (
          select open.host, r.sitemap_id from open cross join lateral (
            select sitemap_id from refused_sitemaps r where r.host = open.host
            order by sitemap_id limit open.vacant
          ) r limit ${limit}::integer
        ), forgotten as (
          delete from refused_sitemaps r using marks m
          where r.host = m.host and r.sitemap_id = m.sitemap_id
        )
        update sitemaps s set etag = null, last_modified = null,
          next_fetch_at = least(s.next_fetch_at, statement_timestamp() + ${SOON})
        where s.id in (select sitemap_id from marks)
        returning s.host_id`,
    );
    await wakeHosts(tx, [...new Set(rows.map((row) => row.host_id))]);
    return rows.length;
  });
}
