import { Database } from "bun:sqlite";

/** Raised when the tables or the forward data change: an index of another layout is rebuilt. */
const LAYOUT = 5;

const PAGE_BYTES = 8_192;
/** A leaf of the full-text index fits one page: 12 % less writing than the default 4,050. */
const FTS_LEAF_BYTES = 8_000;
/**
 * Segments of a level that are merged into one: each document is then merged two or three times.
 * The default of 4 merges it twice as often, a fifth of the writer's work. Past the crisis a level
 * is merged at once, within one commit.
 */
const FTS_MERGED = 16;
const FTS_CRISIS = 64;
/** A batch is one segment: with the default of 1 MB a large one would be several. */
const FTS_HASH_BYTES = 8 * 1024 * 1024;
/** From here on, 128 MB, the writer itself folds the log back: its own thread did not keep up. */
const CHECKPOINT_PAGES = 16_000;
const LOG_BYTES_KEPT = 64 * 1024 * 1024;
/** Negative: KiB. The system's own cache does the rest. */
const CACHE_KIB = 32_768;

/*
 * attributes is narrow, because filters, facets and sorting by date touch many rows; pages holds
 * what score() and a hit read; texts only what a snippet reads, packed. All share their rowid (see
 * rowOf), which ids knows. terms is contentless, and without positions: tf, lengths and adjacency
 * lie in the forward data.
 */
const SCHEMA = `
create table if not exists ids (
  id integer primary key, row integer not null, content_hash text
) strict;
create table if not exists attributes (
  row integer primary key, date integer not null, place integer not null
) strict;
create table if not exists places (
  place integer primary key, host text not null, lang text not null, category text not null,
  unique (host, lang, category)
) strict;
create table if not exists pages (
  row integer primary key, id integer not null, host text not null, lang text, url text not null,
  title text not null, title_key text not null,
  published_at integer, crawled_at integer not null, simhash text, words integer not null,
  link_density real not null, region_score real, category text, locations blob,
  forward blob not null
) strict;
create index if not exists pages_title on pages (title_key) where title_key <> '';
create table if not exists texts (row integer primary key, text blob not null) strict;
create table if not exists vocabulary (
  hash integer primary key, term text not null, word text, df integer not null,
  band integer not null
) strict;
create index if not exists vocabulary_words on vocabulary (band, term) where word is not null;
create table if not exists totals (
  name text primary key, value integer not null
) strict, without rowid;
create virtual table if not exists terms using fts5(
  tokens, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'"
);
insert into terms (terms, rank) values ('pgsz', ${FTS_LEAF_BYTES});
insert into terms (terms, rank) values ('automerge', ${FTS_MERGED});
insert into terms (terms, rank) values ('crisismerge', ${FTS_CRISIS});
insert into terms (terms, rank) values ('hashsize', ${FTS_HASH_BYTES});
pragma user_version = ${LAYOUT};
`;

/**
 * What an index of before gets when it is opened: rows by date, newest first, which takes 1 s a
 * million; and what is told of hosts, apart from their documents.
 */
const LATER = [
  "create index if not exists attributes_date on attributes (date desc)",
  `create table if not exists host_ranks (
    host text primary key, authority real not null, region real
  ) strict, without rowid`,
  // By id, with the hash of their text: a put of another text need not touch them.
  `create table if not exists summaries (
    id integer primary key, content_hash text not null, summary text not null
  ) strict`,
];

/** Opens the file for writing and makes the tables when they are not there; throws SQLiteError. */
export function openForWriting(path: string, busyMs: number, pagesMax: number | null): Database {
  const db = new Database(path, { create: true, readwrite: true, strict: true });
  try {
    db.run(`pragma busy_timeout = ${busyMs}`);
    db.run(`pragma page_size = ${PAGE_BYTES}`);
    db.run("pragma journal_mode = wal");
    db.run("pragma synchronous = normal");
    db.run(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.run(`pragma journal_size_limit = ${LOG_BYTES_KEPT}`);
    db.run(`pragma cache_size = ${-CACHE_KIB}`);
    db.run("pragma temp_store = memory");
    if (pagesMax !== null) db.run(`pragma max_page_count = ${pagesMax}`);
    if (layoutOf(db) !== LAYOUT) makeTables(db);
    for (const statement of LATER) db.run(statement);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Tokens in their order with the rows of each: see impacts.ts. */
const IMPACTS = "create virtual table temp.impacts using fts5vocab(main, terms, instance)";

/** Opens the file for reading; throws when the tables are not there yet. */
export function openForReading(path: string, busyMs: number): Database {
  const db = new Database(path, { create: false, readwrite: true, strict: true });
  try {
    db.run(`pragma busy_timeout = ${busyMs}`);
    db.run("pragma temp_store = memory");
    db.run(IMPACTS);
    db.run("pragma query_only = 1");
    db.run(`pragma cache_size = ${-CACHE_KIB}`);
    if (layoutOf(db) !== LAYOUT) throw new Error("the index has no tables of this layout");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function layoutOf(db: Database): number {
  return db.query<{ user_version: number }, []>("pragma user_version").get()!.user_version;
}

function makeTables(db: Database): void {
  db.run("begin immediate");
  try {
    const layout = layoutOf(db);
    if (layout !== 0 && layout !== LAYOUT) {
      throw new Error(`the index has layout ${layout}, not ${LAYOUT}: remove the file and reindex`);
    }
    if (layout === 0) db.run(SCHEMA);
    db.run("commit");
  } catch (error) {
    db.run("rollback");
    throw error;
  }
}

/** Rows of a better tier come first in every list of postings. */
const TIER_ROWS = 2 ** 40;
const TIERS = 4;

/**
 * Of the nth document of a tier, from 1, as they come: rows in the order of ids would be written
 * all over the file, at twice the cost.
 */
export const rowOf = (nth: number, tier: number): number => tier * TIER_ROWS + nth;
export const tierOfRow = (row: number): number => Math.floor(row / TIER_ROWS);
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

/** Bounds of the prior from which on a document stands in the first, second, third tier. */
const TIER_PRIORS: readonly number[] = [1.25, 0.9, 0.65];

export function tierOf(prior: number): number {
  const tier = TIER_PRIORS.findIndex((bound) => prior >= bound);
  return tier < 0 ? TIERS - 1 : tier;
}
