import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { Db } from "./connect.ts";
import { dueLevels } from "./due-levels.ts";
import { RowList } from "./row-list.ts";
import { urls } from "./schema/urls.ts";
import { isLeasedTo } from "./settle-urls.ts";
import { keep, RELAXED } from "./statement.ts";

export interface ClaimRequest {
  readonly hostId: number;
  /** Of the host's turn; it becomes the lease token of the claimed rows. */
  readonly token: string;
  /** No more than the turn can fetch in its seconds. */
  readonly limit: number;
}

/** A row in state `in_progress`, otherwise as the last settle left it. */
export type ClaimedUrl = typeof urls.$inferSelect & { readonly leaseToken: string };

/**
 * Claims due URLs, priority first, then due time, then id, of hosts whose turn has that token and
 * that are neither paused nor blocked. Concurrent claims are disjoint. Results in order of the
 * requests (one a host), then in order of claiming.
 */
export async function claimUrls(db: Db, requests: readonly ClaimRequest[]): Promise<ClaimedUrl[]> {
  if (requests.length === 0) return [];
  const rows = await claimRows(db, REQUESTED.values(requests));
  const place = new Map(requests.map((request, index) => [request.hostId, index]));
  rows.sort(
    (a, b) =>
      place.get(a.host_id)! - place.get(b.host_id)! ||
      b.priority - a.priority ||
      a.due_micros - b.due_micros ||
      Number(a.id) - Number(b.id),
  );
  return rows.map(claimedOf);
}

const REQUESTED = new RowList<ClaimRequest>("requested", {
  host_id: ["integer", (request) => request.hostId],
  token: ["uuid", (request) => request.token],
  wanted: ["integer", (request) => request.limit],
});

interface ClaimedRow extends Record<string, unknown> {
  id: string;
  host_id: number;
  priority: number;
  /** A Date is cut to milliseconds, and one batch is admitted within one. */
  due_micros: number;
}

const claimRows = keep<ClaimedRow>(
  () => sql`update urls u set state = 'in_progress', lease_token = due.token,
      claimed_at = clock_timestamp(), fetching_at = null
    from (${dueUrls()}) due where u.id = due.id
    returning u.*, (extract(epoch from u.next_crawl_at) * 1000000)::float8 as due_micros`,
);

const COLUMNS = Object.entries(getTableColumns(urls)).map(([key, column]) => ({
  key,
  name: toSnakeCase(key),
  column,
}));

function claimedOf(row: ClaimedRow): ClaimedUrl {
  const url: Record<string, unknown> = {};
  for (const { key, name, column } of COLUMNS) {
    const value = row[name];
    url[key] = value === null ? null : column.mapFromDriverValue(value);
  }
  return url as ClaimedUrl;
}

/**
 * Of each level in turn as many due rows as are still wanted; the limit around ends the walk, so
 * that no row is locked in vain. `statement_timestamp()` and not `clock_timestamp()`: an index
 * condition must not change while it is read.
 */
function dueUrls(): SQL {
  return sql`select picked.id, r.token
    from ${REQUESTED.table} r
    join hosts h on h.id = r.host_id and h.turn_token = r.token
      and h.state not in ('paused', 'blocked')
    cross join lateral (
      ${dueLevels(sql`r.host_id`)}
      select ready.id from level cross join lateral (
        select u.id from urls u
        where u.host_id = r.host_id and u.state = 'pending' and u.priority = level.priority
          and u.next_crawl_at <= statement_timestamp()
        order by u.next_crawl_at, u.id limit r.wanted
        for update of u skip locked
      ) ready
      where level.due_at <= statement_timestamp()
      limit r.wanted
    ) picked`;
}

export interface Lease {
  readonly id: number;
  readonly token: string;
}

/**
 * Marks rows whose request is about to go: should the worker die, they are the suspects. Without
 * waiting for the disk, so `db` must be no transaction: a store that crashed accuses nobody.
 */
export async function markFetching(db: Db, leases: readonly Lease[]): Promise<void> {
  if (leases.length > 0) await markRows(db, MARKED.values(leases));
}

const MARKED = new RowList<Lease>("marked", {
  id: ["bigint", (lease) => lease.id],
  token: ["uuid", (lease) => lease.token],
});

const markRows = keep(
  () => sql`with ${RELAXED}
    update urls u set fetching_at = clock_timestamp() from relaxed, ${MARKED.table} l
    where u.id = l.id and ${isLeasedTo(sql`l.token`)}`,
);
