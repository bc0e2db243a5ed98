import type { Database } from "bun:sqlite";
import type { Candidate } from "../document.ts";
import type { CandidateSet } from "../port.ts";
import { idOf } from "./tables.ts";

type PageRow = [
  row: number,
  host: string,
  lang: string | null,
  url: string,
  title: string,
  publishedAt: number | null,
  crawledAt: number,
  simhash: string | null,
  words: number,
  linkDensity: number,
  forward: Uint8Array,
];

const FACET_VALUES_MAX = 20;

/**
 * What is stored of the rows of a search, each read once: a page of the file costs 3 µs, and no two
 * documents lie in the same. One statement for many rows: one for each costs ten times as much.
 */
export class Pages {
  readonly #db: Database;
  readonly #candidates = new Map<number, Candidate>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** In the order of the rows; null for one that a damaged file does not have. */
  read(rows: readonly number[]): (Candidate | null)[] {
    const unread = rows.filter((row) => !this.#candidates.has(row)).sort((a, b) => a - b);
    if (unread.length > 0) this.#load(unread);
    return rows.map((row) => this.#candidates.get(row) ?? null);
  }

  #load(rows: readonly number[]): void {
    const statement = this.#db.query<PageRow, [string]>(
      `select p.row, host, lang, url, title, published_at, crawled_at, simhash, words, link_density,
       forward from json_each(?) as own cross join pages p on p.row = own.value`,
    );
    for (const page of statement.values(JSON.stringify(rows)) as PageRow[]) {
      this.#candidates.set(page[0], candidateOf(page));
    }
  }

  /** Of the rows, which were read before. */
  facetsOf(rows: readonly number[]): CandidateSet["facets"] {
    const facets = { lang: new Map(), host: new Map(), year: new Map() };
    for (const row of rows) {
      const candidate = this.#candidates.get(row);
      if (candidate === undefined) continue;
      const { lang, host, publishedAt, crawledAt } = candidate;
      if (lang !== null) increment(facets.lang, lang);
      increment(facets.host, host);
      increment(facets.year, new Date(publishedAt ?? crawledAt).getUTCFullYear());
    }
    return { lang: ranked(facets.lang), host: ranked(facets.host), year: ranked(facets.year) };
  }
}

function candidateOf(page: PageRow): Candidate {
  const [row, host, lang, url, title, publishedAt, crawledAt, simhash, words, linkDensity] = page;
  return {
    id: idOf(row),
    ...{ url, host, lang, title, publishedAt, crawledAt, simhash, words, linkDensity },
    forward: page[10],
  };
}

function increment<T>(counts: Map<T, number>, value: T): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function ranked(counts: ReadonlyMap<string | number, number>): [string, number][] {
  return [...counts]
    .map(([value, count]): [string, number] => [String(value), count])
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
    .slice(0, FACET_VALUES_MAX);
}
