import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { bigints, integers, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { dueLevels } from "./due-levels.ts";
import { urls } from "./schema/urls.ts";
import { isLeasedTo } from "./settle-urls.ts";
import { run } from "./statement.ts";

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
  const rows = await claimStatement(db, requests).execute();
  const place = new Map(requests.map((request, index) => [request.hostId, index]));
  rows.sort(
    (a, b) =>
      place.get(a.hostId)! - place.get(b.hostId)! ||
      b.priority - a.priority ||
      a.dueMicros - b.dueMicros ||
      a.id - b.id,
  );
  return rows.map(({ dueMicros: _, ...url }) => url as ClaimedUrl);
}

function claimStatement(db: Db, requests: readonly ClaimRequest[]) {
  return db
    .update(urls)
    .set({
      state: "in_progress",
      leaseToken: sql`due.token`,
      claimedAt: sql`clock_timestamp()`,
      fetchingAt: null,
    })
    .from(sql`(${dueUrls(requests)}) due`)
    .where(eq(urls.id, sql`due.id`))
    .returning({
      ...getTableColumns(urls),
      // A Date is cut to milliseconds, and one batch is admitted within one.
      dueMicros: sql<number>`(extract(epoch from ${urls.nextCrawlAt}) * 1000000)::float8`,
    })
    .prepare("claim");
}

/**
 * Of each level in turn as many due rows as are still wanted; the limit around ends the walk, so
 * that no row is locked in vain. `statement_timestamp()` and not `clock_timestamp()`: an index
 * condition must not change while it is read.
 */
function dueUrls(requests: readonly ClaimRequest[]): SQL {
  return sql`select picked.id, r.token
    from unnest(
      ${integers(requests.map((request) => request.hostId))},
      ${uuids(requests.map((request) => request.token))},
      ${integers(requests.map((request) => request.limit))}
    ) as r (host_id, token, wanted)
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

/** Marks rows whose request is about to go: should the worker die, they are the suspects. */
export async function markFetching(db: Db, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await run(
    db,
    sql`update urls u set fetching_at = clock_timestamp() from ${leaseList(leases)}
      where u.id = l.id and ${isLeasedTo(sql`l.token`)}`,
  );
}

function leaseList(leases: readonly Lease[]): SQL {
  const ids = bigints(leases.map((lease) => lease.id));
  return sql`unnest(${ids}, ${uuids(leases.map((lease) => lease.token))}) as l (id, token)`;
}
