import type { Database } from "bun:sqlite";
import type { Candidate } from "../document.ts";
import type { CandidateSet } from "../port.ts";
import { idOf } from "./tables.ts";

type AttributesRow = [row: number, lang: string | null, host: string, date: number];

type PageRow = [
  row: number,
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
  readonly #attributes: ReadonlyMap<number, AttributesRow>;
  readonly #candidates = new Map<number, Candidate>();

  constructor(db: Database, rows: readonly number[]) {
    this.#db = db;
    const statement = db.query<AttributesRow, [string]>(
      `select a.row, lang, host, date from json_each(?) as own
       cross join attributes a on a.row = own.value`,
    );
    const found = statement.values(JSON.stringify(rows)) as AttributesRow[];
    this.#attributes = new Map(found.map((row) => [row[0], row]));
  }

  /** In the order of the rows; null for one that a damaged file does not have. */
  read(rows: readonly number[]): (Candidate | null)[] {
    const statement = this.#db.query<PageRow, [string]>(
      `select p.row, url, title, published_at, crawled_at, simhash, words, link_density, forward
       from json_each(?) as own cross join pages p on p.row = own.value`,
    );
    const unread = rows.filter((row) => !this.#candidates.has(row)).sort((a, b) => a - b);
    for (const page of statement.values(JSON.stringify(unread)) as PageRow[]) {
      this.#candidates.set(page[0], this.#candidateOf(page));
    }
    return rows.map((row) => this.#candidates.get(row) ?? null);
  }

  #candidateOf(page: PageRow): Candidate {
    const [row, url, title, publishedAt, crawledAt, simhash, words, linkDensity, forward] = page;
    const [, lang = null, host = ""] = this.#attributes.get(row) ?? [];
    const id = idOf(row);
    return {
      ...{ id, url, host, lang, title, publishedAt, crawledAt, simhash, words, linkDensity },
      forward,
    };
  }

  facets(): CandidateSet["facets"] {
    const facets = { lang: new Map(), host: new Map(), year: new Map() };
    for (const [, lang, host, date] of this.#attributes.values()) {
      if (lang !== null) increment(facets.lang, lang);
      increment(facets.host, host);
      increment(facets.year, new Date(date).getUTCFullYear());
    }
    return { lang: ranked(facets.lang), host: ranked(facets.host), year: ranked(facets.year) };
  }
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
