import { type SQL, sql } from "drizzle-orm";

/** Where a page of a list begins: after a row that was seen, or so many pages in. */
export interface Position {
  /** The `next` of the page before: right however many rows came meanwhile, at the cost of none. */
  readonly after?: string | null;
  /** From 1; counts from `after`, or from the begin. */
  readonly page?: number;
  readonly perPage: number;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly hasMore: boolean;
  /** `after` of the next page; null: there is none. */
  readonly next: string | null;
}

/** Pages beyond this many rows are reached by `after` alone. */
const SKIP_MAX = 100_000;

/**
 * Order of a list, and the condition that goes on after a cursor: by `key` (never null), then by
 * id. `type` is the SQL type of the key.
 */
export interface Order {
  readonly key: SQL;
  readonly type: "text" | "bigint" | "real" | "timestamptz";
  readonly id: SQL;
  readonly descending: boolean;
}

export function orderBy({ key, id, descending }: Order): SQL {
  const way = descending ? sql`desc` : sql`asc`;
  return sql`${key} ${way}, ${id} ${way}`;
}

/** A cursor of ours holds the key as text and the id; anything else begins at the begin. */
export function afterCursor({ key, type, id, descending }: Order, after: Position["after"]): SQL {
  const cursor = after ? readCursor(after, VALID[type]) : null;
  if (!cursor) return sql`true`;
  const than = descending ? sql`<` : sql`>`;
  return sql`(${key}, ${id}) ${than} (${cursor.key}::${sql.raw(type)}, ${cursor.id}::bigint)`;
}

export function limitOf({ perPage, page = 1 }: Position): SQL {
  const skip = Math.min(Math.max(0, page - 1) * perPage, SKIP_MAX);
  return sql`limit ${perPage + 1}::integer offset ${skip}::integer`;
}

/** Rows as read with `limitOf`, each with its place in the order. */
export function pageOf<Row>(
  rows: readonly { readonly row: Row; readonly key: string; readonly id: number }[],
  { perPage }: Position,
): Page<Row> {
  const hasMore = rows.length > perPage;
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const next = hasMore && last ? writeCursor(last.key, last.id) : null;
  return { rows: shown.map(({ row }) => row), hasMore, next };
}

/** The store refuses a NUL even where it only compares; no stored text holds the sign instead. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\u{fffd}");
}

function writeCursor(key: string, id: number): string {
  return Buffer.from(JSON.stringify([key, id])).toString("base64url");
}

/** What the store takes for a key of that type: a cursor comes back from outside. */
const VALID: Record<Order["type"], RegExp> = {
  text: /^[^\0]*$/,
  bigint: /^-?\d{1,18}$/,
  real: /^-?\d{1,9}(\.\d{1,20})?(e[+-]?\d{1,2})?$/,
  timestamptz: /^(-?infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?)$/,
};

function readCursor(text: string, valid: RegExp): { key: string; id: number } | null {
  try {
    const [key, id] = JSON.parse(Buffer.from(text, "base64url").toString());
    return valid.test(key) && Number.isSafeInteger(id) ? { key, id } : null;
  } catch {
    return null;
  }
}
