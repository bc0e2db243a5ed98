import type { Database } from "bun:sqlite";
import type { Candidate } from "../document.ts";
import { asksForPlaces } from "../places.ts";
import type { ParsedQuery } from "../query.ts";

type PageRow = [
  row: number,
  id: number,
  host: string,
  lang: string | null,
  url: string,
  title: string,
  publishedAt: number | null,
  crawledAt: number,
  simhash: string | null,
  words: number,
  linkDensity: number,
  authority: number | null,
  regionHost: number | null,
  regionScore: number | null,
  locations: Uint8Array | null,
  forward: Uint8Array,
];

/**
 * What is stored of the rows of a search, each read once: a page of the file costs 3 µs, and no two
 * documents lie in the same. One statement for many rows: one for each costs ten times as much.
 */
export class Pages {
  readonly #db: Database;
  /** Read only for a query that names a place. */
  readonly #locations: "locations" | "null";
  readonly #candidates = new Map<number, Candidate>();

  constructor(db: Database, { places }: Pick<ParsedQuery, "places">) {
    this.#db = db;
    this.#locations = asksForPlaces(places) ? "locations" : "null";
  }

  /** In the order of the rows; null for one that a damaged file does not have. */
  read(rows: readonly number[]): (Candidate | null)[] {
    const unread = rows.filter((row) => !this.#candidates.has(row)).sort((a, b) => a - b);
    if (unread.length > 0) this.#load(unread);
    return rows.map((row) => this.#candidates.get(row) ?? null);
  }

  #load(rows: readonly number[]): void {
    const statement = this.#db.query<PageRow, [string]>(
      `select p.row, p.id, p.host, lang, url, title, published_at, crawled_at, simhash, words,
       link_density, authority, region, region_score, ${this.#locations}, forward
       from json_each(?) as own cross join pages p on p.row = own.value
       left join host_ranks h on h.host = p.host`,
    );
    for (const page of statement.values(JSON.stringify(rows)) as PageRow[]) {
      this.#candidates.set(page[0], candidateOf(page));
    }
  }
}

function candidateOf(page: PageRow): Candidate {
  const [, id, host, lang, url, title, publishedAt, crawledAt, simhash, words] = page;
  return {
    ...{ id, url, host, lang, title, publishedAt, crawledAt, simhash, words },
    linkDensity: page[10],
    authority: page[11],
    regionHost: page[12],
    regionScore: page[13],
    locations: page[14],
    forward: page[15],
  };
}
