import { type SQL, sql } from "drizzle-orm";
import type { UrlRow } from "./admit-urls.ts";
import { bigints, enums, integers, texts, times, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { doubtIndex, wishTwiceFor } from "./index-repairs.ts";
import { inTransaction, run } from "./statement.ts";

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
  const tokens = uuids(rows.map((row) => row.leaseToken));
  const settled = await run<{ id: string }>(
    db,
    sql`update urls u set ${assignments}, ${endLease}
      from unnest(${columnLists(rows)}, ${tokens}) as s (${columnNames}, token)
      where u.id = s.id and ${isLeasedTo(sql`s.token`)}
      returning u.id`,
  );
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

const COLUMNS = [
  "state",
  "next_crawl_at",
  "attempts",
  "crashes",
  "misses",
  "reason",
  "status",
  "visits",
  "changes",
  "visited_at",
  "crawled_at",
  "interval_s",
  "etag",
  "last_modified",
  "content_hash",
  "target_id",
] as const;

/** For `unnest(…) as s (…)`: the id first, then in the order of `columnLists`. */
export const columnNames: SQL = sql.raw(["id", ...COLUMNS].join(", "));

/** For `update urls u set … from … s`. */
export const assignments: SQL = sql.raw(COLUMNS.map((name) => `${name} = s.${name}`).join(", "));

type Settling = SettledColumns & Pick<SettleRow, "id" | "state">;

export function columnLists(rows: readonly Settling[]): SQL {
  return sql.join(
    [
      bigints(rows.map((row) => row.id)),
      enums(
        "url_state",
        rows.map((row) => row.state),
      ),
      times(rows.map((row) => row.nextCrawlAt)),
      integers(rows.map((row) => row.attempts)),
      integers(rows.map((row) => row.crashes)),
      integers(rows.map((row) => row.misses)),
      texts(rows.map((row) => row.reason)),
      integers(rows.map((row) => row.status)),
      integers(rows.map((row) => row.visits)),
      integers(rows.map((row) => row.changes)),
      times(rows.map((row) => row.visitedAt)),
      times(rows.map((row) => row.crawledAt)),
      integers(rows.map((row) => row.intervalS)),
      texts(rows.map((row) => row.etag)),
      texts(rows.map((row) => row.lastModified)),
      uuids(rows.map((row) => row.contentHash)),
      bigints(rows.map((row) => row.targetId)),
    ],
    sql`, `,
  );
}
