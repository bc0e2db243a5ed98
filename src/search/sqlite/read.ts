import type { Database } from "bun:sqlite";
import type { Field } from "../../text/analysis.ts";
import { foldText } from "../../text/fold.ts";
import { FIELDS } from "../../text/forward-data.ts";
import { unpackText } from "../../text/packed.ts";
import type { IndexEntry, IndexVersion } from "../port.ts";

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
  const statement = db.query<{ id: number; text: Uint8Array }, [string]>(
    `select i.id, text from json_each(?) as own
     cross join ids i on i.id = own.value cross join texts t on t.row = i.row`,
  );
  const rows = statement.all(JSON.stringify(ids));
  return rows.map(({ id, text }) => [id, unpackText(text).replaceAll("\0", " ")]);
}

export function readTitles(
  db: Database,
  prefix: string,
  limit: number,
): { title: string; url: string }[] {
  const key = foldText(prefix);
  if (key === "") return [];
  // The index has no empty titles, and is used only where none is asked for.
  const next = db.query<{ title: string; url: string; title_key: string }, [string, string]>(
    `select title, url, title_key from pages
     where title_key <> '' and title_key >= ? and title_key < ? order by title_key, row limit 1`,
  );
  const found: { title: string; url: string }[] = [];
  let from = key;
  while (found.length < limit) {
    const page = next.get(from, `${key}\u{10ffff}`);
    if (page === null) break;
    found.push({ title: page.title, url: page.url });
    // Before every other title, behind all that are the same.
    from = `${page.title_key}\u0001`;
  }
  return found;
}

export function readIds(db: Database, after: number, limit: number): IndexEntry[] {
  const statement = db.query<IndexEntry, [number, number]>(
    `select i.id, content_hash as contentHash, date
     from ids i cross join attributes a on a.row = i.row where i.id > ? order by i.id limit ?`,
  );
  return statement.all(after, limit);
}

export function readVersions(db: Database, ids: readonly number[]): IndexVersion[] {
  const statement = db.query<IndexVersion, [string]>(
    `select i.id, content_hash as contentHash, crawled_at as crawledAt from json_each(?) as own
     cross join ids i on i.id = own.value cross join pages p on p.row = i.row`,
  );
  return statement.all(JSON.stringify(ids));
}
