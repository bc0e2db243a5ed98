import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { millis, RowList } from "./row-list.ts";
import { visits } from "./schema/documents.ts";
import { urls } from "./schema/urls.ts";
import { keep, RELAXED } from "./statement.ts";
import { writeInHalves } from "./store-errors.ts";

export type StoredVisit = typeof visits.$inferSelect;
/** One visit as it is written. */
export type VisitRow = Omit<StoredVisit, "id">;

/**
 * Appends to the history, in transactions of its own that do not wait for the disk: `db` must be no
 * transaction. Rows that the store refuses are left out; gives their number.
 */
export async function appendVisits(db: Db, rows: readonly VisitRow[]): Promise<number> {
  const refused = await writeInHalves(rows, async (some) => {
    await appendRows(db, APPENDED.values(some));
  });
  return refused.length;
}

const APPENDED = new RowList<VisitRow>("appended", {
  url_id: ["bigint", (row) => row.urlId],
  host_id: ["integer", (row) => row.hostId],
  claimed_at: ["timestamptz", (row) => millis(row.claimedAt)],
  fetch_started_at: ["timestamptz", (row) => millis(row.fetchStartedAt)],
  fetched_at: ["timestamptz", (row) => millis(row.fetchedAt)],
  parsed_at: ["timestamptz", (row) => millis(row.parsedAt)],
  indexed_at: ["timestamptz", (row) => millis(row.indexedAt)],
  settled_at: ["timestamptz", (row) => millis(row.settledAt)],
  outcome: ["text", (row) => row.outcome],
  state: ["text", (row) => row.state],
  reason: ["text", (row) => row.reason],
  status: ["integer", (row) => row.status],
  bytes: ["integer", (row) => row.bytes],
  address: ["text", (row) => row.address],
});

const appendRows = keep(
  () => sql`with ${RELAXED}
    insert into visits (
      url_id, host_id, claimed_at, fetch_started_at, fetched_at, parsed_at, indexed_at,
      settled_at, outcome, state, reason, status, bytes, address
    )
    select v.* from relaxed, ${APPENDED.table} v`,
);

/** Newest first. */
export async function visitsOf(db: Db, urlId: number, limit: number): Promise<StoredVisit[]> {
  return await db
    .select(getTableColumns(visits))
    .from(visits)
    .where(eq(visits.urlId, urlId))
    .orderBy(desc(visits.settledAt))
    .limit(limit);
}

export type HostVisit = StoredVisit & { readonly url: string | null };

/** Newest first, with the URL where its row is still there. */
export async function visitsOfHost(db: Db, hostId: number, limit: number): Promise<HostVisit[]> {
  return await db
    .select({ ...getTableColumns(visits), url: urls.url })
    .from(visits)
    .leftJoin(urls, eq(urls.id, visits.urlId))
    .where(eq(visits.hostId, hostId))
    .orderBy(desc(visits.settledAt))
    .limit(limit);
}
