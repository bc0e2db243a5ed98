import type { Database } from "bun:sqlite";
import type { CandidateSet } from "../port.ts";

const FACET_VALUES_MAX = 20;

/** How many of the rows have each language, host and year, the commonest first. */
export function readFacets(db: Database, rows: readonly number[]): CandidateSet["facets"] {
  const facets = { lang: new Map(), host: new Map(), category: new Map(), year: new Map() };
  const byPlace = new Map<number, number>();
  for (const [place, date] of readPlaces(db, rows)) {
    increment(byPlace, place);
    increment(facets.year, new Date(date).getUTCFullYear());
  }
  // Far fewer than rows, and their texts cost more than all else.
  for (const [place, host, lang, category] of namesOf(db, byPlace.keys())) {
    const count = byPlace.get(place)!;
    if (lang !== "") increment(facets.lang, lang, count);
    if (category !== "") increment(facets.category, category, count);
    increment(facets.host, host, count);
  }
  return {
    lang: ranked(facets.lang),
    host: ranked(facets.host),
    category: ranked(facets.category),
    year: ranked(facets.year),
  };
}

function readPlaces(db: Database, rows: readonly number[]): [place: number, date: number][] {
  const statement = db.query<unknown, [string]>(
    "select place, date from json_each(?) as own cross join attributes a on a.row = own.value",
  );
  // In their order: neighbours lie in the same page of the file.
  return statement.values(listOf(Float64Array.from(rows).sort())) as [number, number][];
}

type Named = [place: number, host: string, lang: string, category: string];

function namesOf(db: Database, places: Iterable<number>): Named[] {
  const statement = db.query<unknown, [string]>(
    `select p.place, host, lang, category from json_each(?) as own
     cross join places p on p.place = own.value`,
  );
  return statement.values(listOf(places)) as Named[];
}

const listOf = (numbers: Iterable<number>): string => JSON.stringify([...numbers]);

function increment<T>(counts: Map<T, number>, value: T, by = 1): void {
  counts.set(value, (counts.get(value) ?? 0) + by);
}

function ranked(counts: ReadonlyMap<string | number, number>): [string, number][] {
  return [...counts]
    .map(([value, count]): [string, number] => [String(value), count])
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
    .slice(0, FACET_VALUES_MAX);
}
