import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import {
  afterCursor,
  limitOf,
  type Order,
  orderBy,
  type Page,
  type Position,
  pageOf,
} from "./paging.ts";
import { submissions } from "./schema/operations.ts";
import { run } from "./statement.ts";

export type SubmissionRow = typeof submissions.$inferSelect;

export type SubmissionSaved =
  | { readonly kind: "saved" }
  /** It waits already, or an operator refused it before. */
  | { readonly kind: "known"; readonly state: SubmissionRow["state"] }
  /** As many wait as anybody will ever read. */
  | { readonly kind: "full" };

/** Strangers fill this table. */
const REVIEW_MAX = 10_000;

/** For review. One that was accepted once and is named again, out of scope again, waits again. */
export async function saveSubmission(
  db: Db,
  { url, key, reason }: { url: string; key: string; reason: string },
): Promise<SubmissionSaved> {
  const [known] = await db
    .select({ state: submissions.state })
    .from(submissions)
    .where(eq(submissions.key, key));
  if (known !== undefined && known.state !== "accepted") {
    return { kind: "known", state: known.state };
  }
  const saved = await run(
    db,
    sql`insert into submissions (url, key, state, reason)
      select ${url}::text, ${key}::uuid, 'review', ${reason}::text
      where (select count(*) from
        (select from submissions where state = 'review' limit ${REVIEW_MAX}::integer) waiting
      ) < ${REVIEW_MAX}::integer
      on conflict (key) do update set state = 'review', reason = excluded.reason,
        submitted_at = now(), decided_at = null, decided_by = null
      returning id`,
  );
  return saved.length > 0 ? { kind: "saved" } : { kind: "full" };
}

export async function readSubmission(db: Db, id: number): Promise<SubmissionRow | null> {
  const [row] = await db.select().from(submissions).where(eq(submissions.id, id));
  return row ?? null;
}

export interface SubmissionQuery extends Position {
  readonly state: SubmissionRow["state"];
}

const NEWEST_FIRST: Order = {
  key: sql`${submissions.submittedAt}`,
  type: "timestamptz",
  id: sql`${submissions.id}`,
  descending: true,
};

/** Newest first, with their number. */
export async function listSubmissions(
  db: Db,
  query: SubmissionQuery,
): Promise<Page<SubmissionRow> & { total: number }> {
  const ofState = eq(submissions.state, query.state);
  const [rows, total] = await Promise.all([
    db
      .select({
        row: getTableColumns(submissions),
        key: sql<string>`(${NEWEST_FIRST.key})::text`,
        id: submissions.id,
      })
      .from(submissions)
      .where(and(ofState, afterCursor(NEWEST_FIRST, query.after)))
      .orderBy(sql`${orderBy(NEWEST_FIRST)} ${limitOf(query)}`),
    db.$count(submissions, ofState),
  ]);
  return { ...pageOf(rows, query), total };
}

/** Null: no such submission, or somebody decided it before. */
export async function decideSubmission(
  db: Db,
  id: number,
  decision: { state: "accepted" | "refused"; by: string; at: Date },
): Promise<SubmissionRow | null> {
  const [row] = await db
    .update(submissions)
    .set({ state: decision.state, decidedBy: decision.by, decidedAt: decision.at })
    .where(and(eq(submissions.id, id), eq(submissions.state, "review")))
    .returning();
  return row ?? null;
}
