import type { Database } from "bun:sqlite";
import { foldText } from "../../text/fold.ts";
import { FIELDS, ForwardData } from "../../text/forward-data.ts";
import { packText } from "../../text/packed.ts";
import { packPlaces } from "../places.ts";
import type { PutOptions } from "../port.ts";
import { quality } from "../signals.ts";
import type { ReadDocument } from "./admit-document.ts";
import { removeSummary, writeSummaries } from "./summaries.ts";
import { rowOf, tierOf, tierOfRow } from "./tables.ts";
import { tokensOf } from "./tokens.ts";

/** What a transaction changes beside the rows themselves; it counts only once it is committed. */
export class Changes {
  readonly totals = new Map<string, number>();
  readonly added: { document: ReadDocument; forward: ForwardData }[] = [];
  readonly removed: ForwardData[] = [];
  /** Work on the full-text index, in order; null tokens take a row out. */
  readonly tokens: { row: number; tokens: string | null }[] = [];

  /** Of rows and places that this transaction may have made: another one must not see them. */
  readonly #lastRows = new Map<number, number>();
  readonly #places = new Map<string, number>();

  /** The next one of a tier. */
  row(db: Database, tier: number): number {
    const last = this.#lastRows.get(tier) ?? lastRowOf(db, tier);
    this.#lastRows.set(tier, last + 1);
    return last + 1;
  }

  /** The number of a host, a language and a category. */
  place(db: Database, { host, lang, category }: Placed): number {
    const name = `${host} ${lang ?? ""} ${category ?? ""}`;
    const place = this.#places.get(name) ?? placeOf(db, [host, lang ?? "", category ?? ""]);
    this.#places.set(name, place);
    return place;
  }

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

function lastRowOf(db: Database, tier: number): number {
  const statement = db.query<{ row: number }, [number, number]>(
    "select row from attributes where row > ? and row < ? order by row desc limit 1",
  );
  return statement.get(rowOf(0, tier), rowOf(0, tier + 1))?.row ?? rowOf(0, tier);
}

type Placed = Pick<ReadDocument, "host" | "lang" | "category">;

function placeOf(db: Database, place: [host: string, lang: string, category: string]): number {
  const statement = db.query<{ place: number }, typeof place>(
    "select place from places where host = ? and lang = ? and category = ?",
  );
  const known = statement.get(...place);
  if (known !== null) return known.place;
  const { lastInsertRowid } = db
    .query("insert into places (host, lang, category) values (?, ?, ?)")
    .run(...place);
  return Number(lastInsertRowid);
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
  }: { document: ReadDocument; forward: ForwardData } & PutOptions,
  changes: Changes,
): boolean {
  const known = findRow(db, document.id);
  const crawledAt = document.crawledAt.getTime();
  if (!isTruth && known !== null && known.crawled_at > crawledAt) return false;
  const { linkDensity, analysis } = document;
  const prior = quality({ linkDensity, words: analysis.words });
  const tier = tierOf(prior);
  const row = known !== null && tierOfRow(known.row) === tier ? known.row : changes.row(db, tier);
  const isSame = !rebuilds && known !== null && hasSameTokens(known, row, document);
  if (!isSame) {
    if (known !== null) removeRow(db, known, changes);
    changes.tokens.push({ row, tokens: tokensOf(document, forward, prior) });
    changes.count(forward, document.lang, 1);
    changes.added.push({ document, forward });
  }
  writeRow(db, row, document, changes);
  const { id, contentHash, summary } = document;
  if (summary === null) removeSummary(db, id);
  else if (summary !== undefined && contentHash !== null) {
    writeSummaries(db, [{ id, contentHash, summary }]);
  }
  return true;
}

export function removeDocument(db: Database, id: number, changes: Changes): void {
  const known = findRow(db, id);
  if (known === null) return;
  removeRow(db, known, changes);
  db.query("delete from ids where id = ?").run(id);
  removeSummary(db, id);
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
  category: string | null;
  crawled_at: number;
  forward: Uint8Array;
}

function findRow(db: Database, id: number): KnownRow | null {
  const statement = db.query<KnownRow, [number]>(
    `select p.row, host, lang, category, crawled_at, forward
     from ids i cross join pages p on p.row = i.row where i.id = ?`,
  );
  return statement.get(id);
}

/** A page fetched again is mostly the same: then the full-text index need not be touched. */
function hasSameTokens(known: KnownRow, row: number, document: ReadDocument): boolean {
  const { host, lang, category } = document;
  const isSamePlace = known.host === host && known.lang === lang && known.category === category;
  return (
    known.row === row &&
    isSamePlace &&
    Buffer.compare(known.forward, document.analysis.forward) === 0
  );
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

function writeRow(db: Database, row: number, document: ReadDocument, changes: Changes): void {
  const published = document.publishedAt?.getTime() ?? null;
  const crawled = document.crawledAt.getTime();
  const { id, host, lang, contentHash, url, title, simhash, linkDensity, analysis } = document;
  const { regionScore, category, locations } = document;
  db.query("insert or replace into ids (id, row, content_hash) values (?, ?, ?)").run(
    id,
    row,
    contentHash,
  );
  db.query("insert or replace into attributes (row, date, place) values (?, ?, ?)").run(
    row,
    published ?? crawled,
    changes.place(db, document),
  );
  db.query(
    `insert or replace into pages (row, id, host, lang, url, title, title_key, published_at,
     crawled_at, simhash, words, link_density, region_score, category, locations, forward)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    row,
    id,
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
    regionScore,
    category,
    packPlaces(locations),
    analysis.forward,
  );
  const text = document.text.length === 0 ? packText(document.description) : document.text;
  db.query("insert or replace into texts (row, text) values (?, ?)").run(row, text);
}
