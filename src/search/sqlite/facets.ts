import type { Database } from "bun:sqlite";
import type { CandidateSet } from "../port.ts";

const FACET_VALUES_MAX = 20;

/** How many of the rows have each language, host and year, the commonest first. */
export function readFacets(db: Database, rows: readonly number[]): CandidateSet["facets"] {
  const statement = db.query<unknown, [string]>(
    `select host, lang, category, date from json_each(?) as own
     cross join attributes a on a.row = own.value cross join places p on p.place = a.place`,
  );
  // In their order: neighbours lie in the same page of the file.
  const sorted = Float64Array.from(rows).sort();
  const found = statement.values(JSON.stringify([...sorted])) as [string, string, string, number][];
  const facets = { lang: new Map(), host: new Map(), category: new Map(), year: new Map() };
  for (const [host, lang, category, date] of found) {
    if (lang !== "") increment(facets.lang, lang);
    if (category !== "") increment(facets.category, category);
    increment(facets.host, host);
    increment(facets.year, new Date(date).getUTCFullYear());
  }
  return {
    lang: ranked(facets.lang),
    host: ranked(facets.host),
    category: ranked(facets.category),
    year: ranked(facets.year),
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
