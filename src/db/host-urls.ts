import { type SQL, sql } from "drizzle-orm";
import { texts } from "./bulk.ts";
import { changeHosts, dueNow, wakeHosts } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { wakeDependants } from "./dependants.ts";
import { unlinkHost } from "./host-links.ts";
import { forgetRefusals } from "./host-refusals.ts";
import { FORGOTTEN } from "./hosts.ts";
import { wishTwiceFor } from "./index-repairs.ts";
import { deleteDocuments, deleteUrls, type Removed, regionGone } from "./operate-urls.ts";
import { forgetPages } from "./page-keys.ts";
import type { OUT_OF_REGION } from "./region-hosts.ts";
import { endLease } from "./settle-urls.ts";
import { forgetSitemaps } from "./sitemaps.ts";
import { inTransaction, run } from "./statement.ts";
import { forgetTraps } from "./traps.ts";

/** One batch of a host-wide move; the caller goes on until `moved` is 0. */
export interface Batch {
  readonly moved: number;
  /** URLs whose document left the store: it must leave the index too. */
  readonly documents: number[];
}

/** A page without validators is fetched whole: a 304 could not bring its document back. */
const outOfIndex = sql`etag = null, last_modified = null, content_hash = null, interval_s = null`;

/**
 * The edge "host blocked" for up to `limit` URLs of a host: pending and claimed ones are blocked,
 * failed ones lose their document, done ones stay. Block the host first, or it goes on being
 * visited. What a claimed one is bringing to the index must leave it again.
 */
export function blockHostUrls(
  db: Db,
  hostId: number,
  limit: number,
  reason: "host blocked" | typeof OUT_OF_REGION = "host blocked",
): Promise<Batch> {
  return inTransaction(db, async (tx) => {
    const rows = await run<{ id: string }>(
      tx,
      sql`with batch as materialized (${blockable(hostId, limit)}),
        wished as (${wishTwiceFor(sql`select id from batch where state = 'in_progress'`)})
        update urls u set ${outOfIndex}, ${endLease},
          state = case when u.state = 'failed' then u.state else 'blocked' end,
          reason = case when u.state = 'failed' then u.reason else ${reason} end,
          next_crawl_at = case when u.state = 'failed' then statement_timestamp() end
        from batch where u.id = batch.id
        returning u.id`,
    );
    const ids = rows.map((row) => Number(row.id));
    const gone = await deleteDocuments(tx, ids);
    const woken = await wakeDependants(tx, ids);
    const hostOf = new Map(ids.map((id) => [id, hostId]));
    await changeHosts(tx, [...woken.map(dueNow), ...regionGone(gone, hostOf)]);
    return { moved: ids.length, documents: gone.map(({ urlId }) => urlId) };
  });
}

/**
 * Pending, claimed, and failed with a document (those have an interval); each in the order of its
 * own index, or the planner would rather look for a few of them all over the table.
 */
function blockable(hostId: number, limit: number): SQL {
  const host = sql`u.host_id = ${hostId}::integer`;
  const some = (condition: SQL, order: SQL) => sql`(select u.id from urls u
    where ${condition} order by ${order} limit ${limit}::integer)`;
  const hasDocument = sql`${host} and u.state = 'failed' and u.interval_s is not null`;
  return sql`select u.id, u.state from urls u where u.id in (
      select id from (
        ${some(sql`${host} and u.state = 'pending'`, CLAIM_ORDER)}
        union all ${some(sql`u.state = 'in_progress' and ${host}`, sql`u.lease_token`)}
        union all ${some(hasDocument, sql`u.id`)}
      ) found limit ${limit}::integer
    ) and u.state in ('pending', 'in_progress', 'failed')
    order by u.id for no key update`;
}

const CLAIM_ORDER = sql`u.priority desc, u.next_crawl_at, u.id`;

/** The rows of `batch (id, place)` are pending and due, one after the other. */
const reviveBatch = (limit: number): SQL => sql`update urls u set state = 'pending',
  attempts = 0, crashes = 0, reason = null, target_id = null,
  next_crawl_at = statement_timestamp()
    + (batch.place - ${limit}::integer) * interval '1 microsecond'
  from batch where u.id = batch.id`;

/**
 * The edge "host unblocked" for up to `limit` URLs of a host: pending and due, one after the
 * other. Looks at done and failed URLs that were put off meanwhile are due as well. Unblock the
 * host first.
 */
export function unblockHostUrls(db: Db, hostId: number, limit: number): Promise<Batch> {
  return inTransaction(db, async (tx) => {
    const rows = await run<{ id: string }>(
      tx,
      sql`with batch as materialized (
          select id, row_number() over (order by id) as place from (
            select id from urls where host_id = ${hostId}::integer and state = 'blocked'
            order by id limit ${limit}::integer for no key update
          ) b
        )
        ${reviveBatch(limit)} returning u.id`,
    );
    if (rows.length < limit) {
      await run(
        tx,
        sql`update urls set next_crawl_at = statement_timestamp()
          where host_id = ${hostId}::integer and state in ('done', 'failed')
            and next_crawl_at between statement_timestamp()
              and statement_timestamp() + interval '1 day'`,
      );
    }
    await wakeHosts(tx, rows.length > 0 ? [hostId] : []);
    return { moved: rows.length, documents: [] };
  });
}

/**
 * The edge "crawl now" for up to `limit` URLs of a host: what waits for its time, and what is over,
 * is pending and due; priorities stay. Gives their number; those that were due are not among them.
 */
export async function crawlHostUrlsNow(db: Db, hostId: number, limit: number): Promise<number> {
  const host = sql`u.host_id = ${hostId}::integer`;
  const later = sql`u.state = 'pending' and u.next_crawl_at > statement_timestamp()`;
  const rows = await run(
    db,
    sql`with batch as materialized (
        select id, row_number() over (order by id) as place from (
          select u.id from urls u where u.id in (
            (select u.id from urls u where ${host} and ${later}
              order by ${CLAIM_ORDER} limit ${limit}::integer)
            union all
            (select u.id from urls u where ${host} and u.state in ('done', 'failed')
              order by u.host_id, u.state, u.id limit ${limit}::integer)
            limit ${limit}::integer
          ) and (${later} or u.state in ('done', 'failed'))
          order by u.id for no key update
        ) locked
      )
      ${reviveBatch(limit)} returning u.id`,
  );
  return rows.length;
}

/**
 * What was left alone as a trap among up to `limit` done URLs of a host behind an id is due again.
 * Gives the last id that it looked at; null: there are no more.
 */
export async function reviveTrapped(
  db: Db,
  hostId: number,
  after: number,
  limit: number,
): Promise<number | null> {
  const rows = await run<{ last: string | null }>(
    db,
    sql`with looked as materialized (
        select id, reason from urls u where u.host_id = ${hostId}::integer and u.state = 'done'
          and u.id > ${after}::bigint
        order by u.host_id, u.state, u.id limit ${limit}::integer
      ), batch as materialized (
        select u.id, row_number() over (order by u.id) as place from urls u
        where u.id = any(array(select id from looked where reason = any(${TRAP_REASONS})))
          and u.state = 'done'
        order by u.id
      ), revived as (${reviveBatch(limit)} returning u.id)
      select max(id) as last, (select count(*) from revived) from looked`,
  );
  const last = rows[0]?.last ?? null;
  return last === null ? null : Number(last);
}

const TRAP_REASONS = texts(["pattern cut", "same page"]);

/** Some of the hosts that are being forgotten and have no turn. */
export async function forgottenHosts(db: Db): Promise<number[]> {
  const rows = await run<{ id: number }>(
    db,
    // Written out, as in the index that has these alone.
    sql`select id from hosts where state = 'paused' and reason = ${sql.raw(`'${FORGOTTEN}'`)}
      and turn_token is null order by id limit 100`,
  );
  return rows.map((row) => row.id);
}

/**
 * Removes up to `limit` URLs of a host, with all that hangs on them; claimed ones are removed when
 * their visit is over, by a later call. `moved` 0 with URLs left means that a visit is still
 * running.
 */
export async function forgetHostUrls(db: Db, hostId: number, limit: number): Promise<Batch> {
  return await inTransaction(db, async (tx) => {
    const rows = await run<{ id: string }>(
      tx,
      sql`(select u.id from urls u where u.host_id = ${hostId}::integer and u.state = 'pending'
          order by ${CLAIM_ORDER} limit ${limit}::integer)
        union all
        (select u.id from urls u where u.host_id = ${hostId}::integer
          and u.state in ('done', 'failed', 'blocked') order by u.host_id, u.state, u.id
          limit ${limit}::integer)
        limit ${limit}::integer`,
    );
    const removed: Removed = await deleteUrls(
      tx,
      rows.map((row) => Number(row.id)),
    );
    await forgetPages(tx, hostId, 2 * limit);
    return { moved: removed.ids.length, documents: removed.documents };
  });
}

/**
 * Removes the row of a host without URLs and turn, its robots rules, links, sitemaps, traps and
 * refusals. False: it is still needed.
 */
export function forgetHost(db: Db, hostId: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rows = await run(
      tx,
      sql`delete from hosts where id = ${hostId}::integer and url_count = 0
        and turn_token is null returning id`,
    );
    if (rows.length === 0) return false;
    await run(tx, sql`delete from robots where host_id = ${hostId}::integer`);
    await unlinkHost(tx, hostId);
    await forgetSitemaps(tx, hostId);
    await forgetTraps(tx, hostId);
    await forgetRefusals(tx, hostId);
    return true;
  });
}
