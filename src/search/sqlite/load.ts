import type { Database } from "bun:sqlite";
import type { Candidate } from "../document.ts";
import type { CandidateFilter, CandidateSet } from "../port.ts";
import type { ParsedQuery } from "../query.ts";
import { type Selection, selectRows } from "./select.ts";
import { idOf } from "./tables.ts";

/**
 * What the reader thread hands over: the forward data of all candidates in one buffer, which is
 * moved and not copied, and of each its place in there.
 */
export interface LoadedCandidates extends Omit<CandidateSet, "candidates" | "df"> {
  candidates: (Omit<Candidate, "forward"> & { at: number; bytes: number })[];
  df: [string, number][];
  forward: ArrayBuffer;
}

export function loadCandidates(
  db: Database,
  query: ParsedQuery,
  filter: CandidateFilter,
): LoadedCandidates {
  const selection = selectRows(db, query, filter);
  const { documents, averageLengths } = selection.totals;
  const { total, totalCapped } = selection;
  return {
    ...loadPages(db, selection.rows.slice(0, filter.limit)),
    total,
    totalCapped,
    df: [...selection.df],
    documents,
    averageLengths,
    facets: countFacets(db, selection),
  };
}

/** Makes candidates of what came from the thread. */
export function unpackCandidates(loaded: LoadedCandidates): CandidateSet {
  const { candidates, df, forward, ...rest } = loaded;
  return {
    ...rest,
    candidates: candidates.map(({ at, bytes, ...candidate }) => ({
      ...candidate,
      forward: new Uint8Array(forward, at, bytes),
    })),
    df: new Map(df),
  };
}

interface PageRow {
  row: number;
  url: string;
  host: string;
  lang: string | null;
  title: string;
  published_at: number | null;
  crawled_at: number;
  simhash: string | null;
  words: number;
  link_density: number;
  forward: Uint8Array;
}

function loadPages(
  db: Database,
  rows: readonly number[],
): Pick<LoadedCandidates, "candidates" | "forward"> {
  const pages = readPages(db, rows);
  const forward = new Uint8Array(pages.reduce((sum, page) => sum + page.forward.length, 0));
  let at = 0;
  const candidates = pages.map((page) => {
    const place = { at, bytes: page.forward.length };
    forward.set(page.forward, at);
    at += place.bytes;
    return { ...candidateOf(page), ...place };
  });
  return { candidates, forward: forward.buffer };
}

/**
 * In the order of `rows`. One statement for all: calling it for each row costs ten times as much.
 */
function readPages(db: Database, rows: readonly number[]): PageRow[] {
  const statement = db.query<PageRow, [string]>(
    `select row, url, host, lang, title, published_at, crawled_at, simhash, words, link_density,
       forward from pages join attributes using (row)
     where row in (select value from json_each(?))`,
  );
  const byRow = new Map(statement.all(JSON.stringify(rows)).map((page) => [page.row, page]));
  return rows.map((row) => byRow.get(row)).filter((page) => page !== undefined);
}

function candidateOf(page: PageRow): Omit<Candidate, "forward"> {
  return {
    id: idOf(page.row),
    url: page.url,
    host: page.host,
    lang: page.lang,
    title: page.title,
    publishedAt: page.published_at,
    crawledAt: page.crawled_at,
    simhash: page.simhash,
    words: page.words,
    linkDensity: page.link_density,
  };
}

const FACET_VALUES_MAX = 20;

function countFacets(db: Database, { rows }: Selection): CandidateSet["facets"] {
  const statement = db.query<{ lang: string | null; host: string; date: number }, [string]>(
    "select lang, host, date from attributes where row in (select value from json_each(?))",
  );
  const facets = { lang: new Map(), host: new Map(), year: new Map() };
  for (const attributes of statement.all(JSON.stringify(rows))) {
    if (attributes.lang !== null) increment(facets.lang, attributes.lang);
    increment(facets.host, attributes.host);
    increment(facets.year, String(new Date(attributes.date).getUTCFullYear()));
  }
  return { lang: ranked(facets.lang), host: ranked(facets.host), year: ranked(facets.year) };
}

function increment(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function ranked(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts]
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
    .slice(0, FACET_VALUES_MAX);
}
