import { and, eq, sql } from "drizzle-orm";
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
import { audit } from "./schema/operations.ts";

export type AuditRow = typeof audit.$inferSelect;

export interface AuditEntry {
  /** Account name, or `cli`. */
  readonly actor: string;
  /** `noun.verb`. */
  readonly action: string;
  readonly subject: string;
  readonly detail?: Record<string, unknown>;
}

/** Give it the transaction of what it tells of, so that neither stands without the other. */
export async function recordAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(audit).values(entry);
}

export interface AuditQuery extends Position {
  /** Exact; null: all. */
  readonly actor: string | null;
  readonly action: string | null;
}

const NEWEST_FIRST: Order = {
  key: sql`${audit.id}`,
  type: "bigint",
  id: sql`${audit.id}`,
  descending: true,
};

/** Newest first. */
export async function listAudit(db: Db, query: AuditQuery): Promise<Page<AuditRow>> {
  const { actor, action } = query;
  const rows = await db
    .select()
    .from(audit)
    .where(
      and(
        actor === null ? undefined : eq(audit.actor, actor),
        action === null ? undefined : eq(audit.action, action),
        afterCursor(NEWEST_FIRST, query.after),
      ),
    )
    .orderBy(sql`${orderBy(NEWEST_FIRST)} ${limitOf(query)}`);
  return pageOf(
    rows.map((row) => ({ row, key: `${row.id}`, id: row.id })),
    query,
  );
}
