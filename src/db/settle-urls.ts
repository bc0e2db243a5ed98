import { type SQL, sql } from "drizzle-orm";
import type { UrlRow } from "./admit-urls.ts";
import { bigints, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { doubtIndex, wishTwiceFor } from "./index-repairs.ts";
import { millis, type RowColumns, RowList } from "./row-list.ts";
import { inTransaction, keep, run } from "./statement.ts";

/** What the end of a visit leaves in a row; priority, hops and depth are not the visit's. */
export type SettledColumns = Pick<
  UrlRow,
  | "nextCrawlAt"
  | "attempts"
  | "crashes"
  | "misses"
  | "reason"
  | "status"
  | "visits"
  | "changes"
  | "visitedAt"
  | "crawledAt"
  | "intervalS"
  | "etag"
  | "lastModified"
  | "contentHash"
  | "targetId"
>;

export interface SettleRow extends SettledColumns {
  readonly id: number;
  readonly state: UrlRow["state"];
  /** The token under which it was claimed: the fence. */
  readonly leaseToken: string;
}

/**
 * Ends claims, each row only while its own lease lasts. Gives the ids that were settled: of the
 * others nothing may be written. Data that the store refuses (SQLSTATE 22 and 23) fails the call
 * and with it the transaction.
 */
export async function settleUrls(db: Db, rows: readonly SettleRow[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const settled = await settleRows(db, SETTLED.values(rows));
  return new Set(settled.map((row) => Number(row.id)));
}

/**
 * Gives rows claimed under a token back as they were: attempts unchanged, nothing counted.
 * `notBefore`: they come again then, after siblings that are due sooner.
 */
export async function releaseUrls(
  db: Db,
  token: string,
  ids: readonly number[],
  notBefore: Date | null = null,
): Promise<number> {
  const due = notBefore ? sql`${notBefore.toISOString()}::timestamptz` : sql`next_crawl_at`;
  const rows = await run(
    db,
    sql`update urls set state = 'pending', next_crawl_at = ${due}, ${endLease}
      where lease_token = ${token}::uuid and id = any(${bigints(ids)})
      returning id`,
  );
  return rows.length;
}

/**
 * Gives rows back whose visit may have written to the index and could not be settled: as they were,
 * and the index is looked at.
 */
export function releaseUnsettled(db: Db, token: string, ids: readonly number[]): Promise<void> {
  return inTransaction(db, async (tx) => {
    await doubtIndex(tx, ids);
    await releaseUrls(tx, token, ids);
  });
}

/**
 * Gives back all that is claimed under these tokens. Their visits may still be under way: the index
 * is looked at.
 */
export async function releaseTurns(db: Db, tokens: readonly string[]): Promise<number> {
  const rows = await run(
    db,
    sql`with released as (
        ${giveBackAll(uuids(tokens))} returning id
      ), wished as (${wishTwiceFor(sql`select id from released`)})
      select id from released`,
  );
  return rows.length;
}

/** For `… returning …`: all that is claimed under these tokens, locked in the order of ids. */
export const giveBackAll = (tokens: SQL): SQL => sql`update urls set state = 'pending', ${endLease}
  where id = any(array(
    select id from urls where state = 'in_progress' and lease_token = any(${tokens})
    order by id for no key update))`;

/**
 * Only a row in progress has a lease token: a constraint says so. To name the state as well would
 * lead the planner to the index of leased rows, which it takes for nearly empty, and so through
 * all of them.
 */
export const isLeasedTo = (token: SQL): SQL => sql`u.lease_token = ${token}`;

export const endLease: SQL = sql`lease_token = null, claimed_at = null, fetching_at = null`;

type Settling = SettledColumns & Pick<SettleRow, "id" | "state">;

/** What a list of rows for `assignments` has, the id first. */
export const SETTLED_COLUMNS: RowColumns<Settling> = {
  id: ["bigint", (row) => row.id],
  state: ["url_state", (row) => row.state],
  next_crawl_at: ["timestamptz", (row) => millis(row.nextCrawlAt)],
  attempts: ["integer", (row) => row.attempts],
  crashes: ["integer", (row) => row.crashes],
  misses: ["integer", (row) => row.misses],
  reason: ["text", (row) => row.reason],
  status: ["integer", (row) => row.status],
  visits: ["integer", (row) => row.visits],
  changes: ["integer", (row) => row.changes],
  visited_at: ["timestamptz", (row) => millis(row.visitedAt)],
  crawled_at: ["timestamptz", (row) => millis(row.crawledAt)],
  interval_s: ["integer", (row) => row.intervalS],
  etag: ["text", (row) => row.etag],
  last_modified: ["text", (row) => row.lastModified],
  content_hash: ["uuid", (row) => row.contentHash],
  target_id: ["bigint", (row) => row.targetId],
};

/** For `update urls u set … from … s`. */
export const assignments: SQL = sql.raw(
  Object.keys(SETTLED_COLUMNS)
    .filter((name) => name !== "id")
    .map((name) => `${name} = s.${name}`)
    .join(", "),
);

/** The values of `settling`. */
export const SETTLED = new RowList<SettleRow>("settled", {
  ...SETTLED_COLUMNS,
  token: ["uuid", (row) => row.leaseToken],
});

/** Ends the claims of a list, and gives the ids of those whose lease was theirs. */
export const settling = (): SQL => sql`update urls u set ${assignments}, ${endLease}
  from ${SETTLED.table} s where u.id = s.id and ${isLeasedTo(sql`s.token`)} returning u.id`;

const settleRows = keep<{ id: string }>(settling);
