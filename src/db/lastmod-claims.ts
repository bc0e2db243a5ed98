import { sql } from "drizzle-orm";
import { wakeHosts } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { RowList } from "./row-list.ts";
import { lastmodClaims } from "./schema/lastmod-claims.ts";
import { keep, run } from "./statement.ts";

/** Claims of one sitemap that wait for their visit. */
const CLAIMS_MAX = 32;
/** Of so many judged ones the older half is forgotten: a sitemap may mend its ways. */
const JUDGED_MAX = 64;

export interface LastmodTrust {
  readonly sitemapId: number;
  readonly right: number;
  readonly wrong: number;
  /** So many more claims are noted. */
  room: number;
}

/** Judges the claims of a sitemap whose URLs were visited since, and tells how it stands. */
export async function judgeClaims(db: Db, sitemapId: number): Promise<LastmodTrust> {
  const [row] = await run<{ right: number; wrong: number; waiting: number }>(
    db,
    sql`with mine as materialized (
        select c.url_id, u.id is null or u.visits > c.visits as is_over,
          u.changes > c.changes as is_right,
          u.state in ('pending', 'in_progress') and u.attempts = 0 as counts
        from ${lastmodClaims} c left join urls u on u.id = c.url_id
        where c.sitemap_id = ${sitemapId}::integer
      ), over as (
        delete from lastmod_claims c using mine
        where c.sitemap_id = ${sitemapId}::integer and c.url_id = mine.url_id and is_over
      ), judged as (
        select s.id, s.lastmod_right + count(*) filter (where is_right) as right,
          s.lastmod_wrong + count(*) filter (where not is_right) as wrong
        from sitemaps s left join mine on is_over and counts
        where s.id = ${sitemapId}::integer group by s.id
      )
      update sitemaps s set
        lastmod_right = j.right / case when j.right + j.wrong > ${JUDGED_MAX}::integer
          then 2 else 1 end,
        lastmod_wrong = j.wrong / case when j.right + j.wrong > ${JUDGED_MAX}::integer
          then 2 else 1 end
      from judged j where s.id = j.id
      returning s.lastmod_right as right, s.lastmod_wrong as wrong,
        (select count(*) from mine where not is_over)::integer as waiting`,
  );
  // Its host was forgotten just now.
  if (!row) return { sitemapId, right: 0, wrong: 0, room: 0 };
  const { right, wrong, waiting } = row;
  return { sitemapId, right, wrong, room: Math.max(0, CLAIMS_MAX - waiting) };
}

export interface Modified {
  readonly key: string;
  /** Epoch ms. */
  readonly lastmod: number;
}

const MODIFIED = new RowList<Modified>("modified", {
  key: ["uuid", (row) => row.key],
  lastmod: ["timestamptz", (row) => row.lastmod],
});

/**
 * Known URLs that have changed since their last visit, by the word of a sitemap: if it is believed
 * they are due at once; what backs off, and what is being visited, stays. Of those that are done or
 * failed the scheduler makes the rest. Some are noted, believed or not, for their visit to judge.
 * Gives the number of those made due.
 */
export async function claimModified(
  db: Db,
  modified: readonly Modified[],
  { trust, isBelieved }: { trust: LastmodTrust; isBelieved: boolean },
): Promise<number> {
  if (modified.length === 0) return 0;
  const { sitemapId, room } = trust;
  const values = { ...MODIFIED.values(modified), sitemapId, room, isBelieved };
  const rows = await claimRows(db, values);
  trust.room = Math.max(0, room - (rows[0]?.noted ?? 0));
  const made = rows.filter(({ host_id }) => host_id !== null);
  const pending = made.filter(({ state }) => state === "pending").map(({ host_id }) => host_id!);
  await wakeHosts(db, [...new Set(pending)]);
  return made.length;
}

const claimRows = keep<{ host_id: number | null; state: string | null; noted: number }>(
  () => sql`with stale as materialized (
      select u.id, u.visits, u.changes from ${MODIFIED.table} m join urls u on u.key = m.key
      where u.visited_at < m.lastmod
        and (u.next_crawl_at is null or u.next_crawl_at > statement_timestamp())
        and (u.state in ('done', 'failed') or u.state = 'pending' and u.attempts = 0)
      order by u.key for no key update of u skip locked
    ), noted as (
      insert into lastmod_claims (sitemap_id, url_id, visits, changes)
      select ${sql.placeholder("sitemapId")}::integer, id, visits, changes from stale
      order by id limit ${sql.placeholder("room")}::integer
      on conflict do nothing returning url_id
    ), made as (
      update urls u set next_crawl_at = statement_timestamp()
      from stale where u.id = stale.id and ${sql.placeholder("isBelieved")}::boolean
      returning u.host_id, u.state
    )
    select made.host_id, made.state, n.noted
    from (select count(*)::integer as noted from noted) n left join made on true`,
);
