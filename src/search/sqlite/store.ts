import type { Database } from "bun:sqlite";
import { foldText } from "../../text/fold.ts";
import { FIELDS, ForwardData } from "../../text/forward-data.ts";
import { packText } from "../../text/packed.ts";
import type { IndexDocument } from "../document.ts";
import type { PutOptions } from "../port.ts";
import { quality } from "../signals.ts";
import { rowOf, rowsOf, tierOf } from "./tables.ts";
import { tokensOf } from "./tokens.ts";

/** What a transaction changes beside the rows themselves; it counts only once it is committed. */
export class Changes {
  readonly totals = new Map<string, number>();
  readonly added: { document: IndexDocument; forward: ForwardData }[] = [];
  readonly removed: ForwardData[] = [];
  /** Work on the full-text index, in order; null tokens take a row out. */
  readonly tokens: { row: number; tokens: string | null }[] = [];

  count(forward: ForwardData, lang: string | null, sign: 1 | -1): void {
    this.#add("documents", sign);
    if (lang !== null) this.#add(`lang:${lang}`, sign);
    for (const [at, field] of FIELDS.entries()) {
      this.#add(`length:${field}`, sign * forward.length(at));
    }
  }

  #add(name: string, value: number): void {
    this.totals.set(name, (this.totals.get(name) ?? 0) + value);
  }
}

const TITLE_KEY_CHARACTERS = 100;

/**
 * Stores a document under its id, in place of what stood there. Called within a transaction. False:
 * a version fetched later stands there, and stays. A worker that was frozen comes with an old one.
 */
export function putDocument(
  db: Database,
  {
    document,
    forward,
    isTruth = false,
    rebuilds = false,
  }: { document: IndexDocument; forward: ForwardData } & PutOptions,
  changes: Changes,
): boolean {
  const known = findRows(db, document.id);
  const crawledAt = document.crawledAt.getTime();
  if (!isTruth && known.some((row) => row.crawled_at > crawledAt)) return false;
  const { linkDensity, analysis } = document;
  const prior = quality({ linkDensity, words: analysis.words });
  const row = rowOf(document.id, tierOf(prior));
  const isSame = !rebuilds && known.length === 1 && hasSameTokens(known[0]!, row, document);
  if (!isSame) {
    for (const old of known) removeRow(db, old, changes);
    changes.tokens.push({ row, tokens: tokensOf(document, forward, prior) });
    changes.count(forward, document.lang, 1);
    changes.added.push({ document, forward });
  }
  writeRow(db, row, document);
  return true;
}

export function removeDocument(db: Database, id: number, changes: Changes): void {
  for (const old of findRows(db, id)) removeRow(db, old, changes);
}

/**
 * Comes last in a transaction, and by row: any statement that SQLite runs under a savepoint of its
 * own (REPLACE, upsert), and any row lower than the one before, makes FTS5 flush what it has
 * gathered, a segment a document, at up to five times the cost.
 */
export function writeTokens(db: Database, changes: Changes): void {
  const tokens = changes.tokens.sort((one, other) => one.row - other.row);
  const insert = db.query("insert into terms (rowid, tokens) values (?, ?)");
  const remove = db.query("delete from terms where rowid = ?");
  for (const change of tokens) {
    if (change.tokens === null) remove.run(change.row);
    else insert.run(change.row, change.tokens);
  }
}

export function writeTotals(db: Database, totals: ReadonlyMap<string, number>): void {
  const statement = db.query(
    `insert into totals (name, value) values (?, ?)
     on conflict (name) do update set value = value + excluded.value`,
  );
  for (const [name, value] of totals) if (value !== 0) statement.run(name, value);
}

interface KnownRow {
  row: number;
  host: string;
  lang: string | null;
  crawled_at: number;
  forward: Uint8Array;
}

function findRows(db: Database, id: number): KnownRow[] {
  const statement = db.query<KnownRow, [number, number, number, number]>(
    `select row, host, lang, crawled_at, forward from pages
     where row in (?, ?, ?, ?)`,
  );
  return statement.all(...(rowsOf(id) as [number, number, number, number]));
}

/** A page fetched again is mostly the same: then the full-text index need not be touched. */
function hasSameTokens(known: KnownRow, row: number, document: IndexDocument): boolean {
  const isSamePlace =
    known.row === row && known.host === document.host && known.lang === document.lang;
  return isSamePlace && Buffer.compare(known.forward, document.analysis.forward) === 0;
}

function removeRow(db: Database, known: KnownRow, changes: Changes): void {
  changes.tokens.push({ row: known.row, tokens: null });
  db.query("delete from attributes where row = ?").run(known.row);
  db.query("delete from pages where row = ?").run(known.row);
  db.query("delete from texts where row = ?").run(known.row);
  const forward = ForwardData.read(known.forward);
  if (forward === null) return;
  changes.count(forward, known.lang, -1);
  changes.removed.push(forward);
}

function writeRow(db: Database, row: number, document: IndexDocument): void {
  const published = document.publishedAt?.getTime() ?? null;
  const crawled = document.crawledAt.getTime();
  const { host, lang, contentHash, url, title, simhash, linkDensity, analysis } = document;
  db.query("insert or replace into attributes (row, date, content_hash) values (?, ?, ?)").run(
    row,
    published ?? crawled,
    contentHash,
  );
  db.query(
    `insert or replace into pages (row, host, lang, url, title, title_key, published_at, crawled_at,
     simhash, words, link_density, forward) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    row,
    host,
    lang,
    url,
    title,
    foldText(title).slice(0, TITLE_KEY_CHARACTERS),
    published,
    crawled,
    simhash,
    analysis.words,
    linkDensity,
    analysis.forward,
  );
  const text = document.text.length === 0 ? packText(document.description) : document.text;
  db.query("insert or replace into texts (row, text) values (?, ?)").run(row, text);
}
