import type { Database } from "bun:sqlite";
import type { Field } from "../../text/analysis.ts";
import { foldText } from "../../text/fold.ts";
import { FIELDS } from "../../text/forward-data.ts";
import { unpackText } from "../../text/packed.ts";
import type { IndexEntry, IndexVersion } from "../port.ts";
import { idOf, rowOf, rowsOf, TIERS } from "./tables.ts";

/** Every plain read of the index; select.ts has the search itself. */

export interface Totals {
  documents: number;
  averageLengths: Record<Field, number>;
  /** Languages of at least one document. */
  langs: ReadonlySet<string>;
}

export function readTotals(db: Database): Totals {
  const rows = db
    .query<{ name: string; value: number }, []>("select name, value from totals")
    .all();
  const values = new Map(rows.map((row) => [row.name, row.value]));
  const documents = Math.max(0, values.get("documents") ?? 0);
  const average = (field: Field): number => (values.get(`length:${field}`) ?? 0) / (documents || 1);
  const langs = rows.filter((row) => row.value > 0 && row.name.startsWith("lang:"));
  return {
    documents,
    averageLengths: Object.fromEntries(FIELDS.map((field) => [field, average(field)])) as Record<
      Field,
      number
    >,
    langs: new Set(langs.map((row) => row.name.slice("lang:".length))),
  };
}

export function readTexts(db: Database, ids: readonly number[]): [number, string][] {
  const statement = db.query<{ row: number; text: Uint8Array }, [string]>(
    "select row, text from texts where row in (select value from json_each(?))",
  );
  const rows = statement.all(JSON.stringify(ids.flatMap(rowsOf)));
  return rows.map(({ row, text }) => [idOf(row), unpackText(text).replaceAll("\0", " ")]);
}

/** Rows read to find enough different titles. */
const TITLE_ROWS_MAX = 500;

export function readTitles(
  db: Database,
  prefix: string,
  limit: number,
): { title: string; url: string }[] {
  const key = foldText(prefix);
  if (key === "") return [];
  const statement = db.query<
    { title: string; url: string; title_key: string },
    [string, string, number]
  >("select title, url, title_key from pages where title_key >= ? and title_key < ? limit ?");
  const byKey = new Map<string, { title: string; url: string }>();
  for (const row of statement.all(key, `${key}\u{10ffff}`, TITLE_ROWS_MAX)) {
    if (byKey.size >= limit) break;
    if (!byKey.has(row.title_key)) byKey.set(row.title_key, { title: row.title, url: row.url });
  }
  return [...byKey.values()];
}

export function readIds(db: Database, after: number, limit: number): IndexEntry[] {
  const statement = db.query<
    { row: number; content_hash: string | null; date: number },
    [number, number, number]
  >(
    `select row, content_hash, date from attributes
     where row > ? and row < ? order by row limit ?`,
  );
  const found = Array.from({ length: TIERS }, (_, tier) =>
    statement.all(rowOf(after, tier), rowOf(0, tier + 1), limit),
  ).flat();
  return found
    .map(({ row, content_hash: contentHash, date }) => ({ id: idOf(row), contentHash, date }))
    .sort((one, other) => one.id - other.id)
    .slice(0, limit);
}

export function readVersions(db: Database, ids: readonly number[]): IndexVersion[] {
  const statement = db.query<
    { row: number; content_hash: string | null; crawled_at: number },
    [string]
  >(
    `select row, content_hash, crawled_at from attributes join pages using (row)
     where row in (select value from json_each(?))`,
  );
  return statement.all(JSON.stringify(ids.flatMap(rowsOf))).map((row) => ({
    id: idOf(row.row),
    contentHash: row.content_hash,
    crawledAt: row.crawled_at,
  }));
}
