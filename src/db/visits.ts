import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import { bigints, integers, texts, times } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { visits } from "./schema/documents.ts";
import { urls } from "./schema/urls.ts";
import { run } from "./statement.ts";
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
    await run(
      db,
      sql`with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
        insert into visits (
          url_id, host_id, claimed_at, fetch_started_at, fetched_at, parsed_at, indexed_at,
          settled_at, outcome, state, reason, status, bytes, address
        )
        select v.* from relaxed, unnest(
          ${bigints(some.map((row) => row.urlId))}, ${integers(some.map((row) => row.hostId))},
          ${times(some.map((row) => row.claimedAt))},
          ${times(some.map((row) => row.fetchStartedAt))},
          ${times(some.map((row) => row.fetchedAt))}, ${times(some.map((row) => row.parsedAt))},
          ${times(some.map((row) => row.indexedAt))}, ${times(some.map((row) => row.settledAt))},
          ${texts(some.map((row) => row.outcome))}, ${texts(some.map((row) => row.state))},
          ${texts(some.map((row) => row.reason))}, ${integers(some.map((row) => row.status))},
          ${integers(some.map((row) => row.bytes))}, ${texts(some.map((row) => row.address))}
        ) as v`,
    );
  });
  return refused.length;
}

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
