import type { Ranking } from "../ranking.ts";
import type { Gazetteer, NamedPlaces } from "../text/region/gazetteer.ts";
import { answer } from "./answer.ts";
import { askedAt } from "./freshness.ts";
import type { HostWishes } from "./host-wishes.ts";
import { placesOf, type QueryPlaces } from "./places.ts";
import type { CandidateSet, SearchIndex } from "./port.ts";
import type { Breakdown } from "./signals.ts";
import type { Segment } from "./snippet.ts";

export interface SearchRequest {
  query: string;
  /** From 1. */
  page: number;
  perPage: number;
  lang?: string;
  host?: string;
  category?: string;
  year?: number;
  /** Epoch ms, inclusive. */
  from?: number;
  to?: number;
  sort: "relevance" | "date";
  /** A place that the reader chose, or the region by its name: what is there comes first. */
  region?: string;
  /** What query and choice say of places; search() reads it out of them. */
  places?: QueryPlaces;
  /** What operator and reader wish of hosts; blocked ones are left out of the matches. */
  wishes?: HostWishes;
  /** Epoch ms, told by search(). */
  askedAt?: number;
  /** Unset: by host, but none when the request or the query names a host. */
  collapse?: "host" | "none";
  /**
   * For a page that answers while the query is typed: a last word that few documents have is also
   * taken as the beginning of longer ones; without it, only one that no document has.
   */
  isAsTyped?: boolean;
  /** Language of the page on which the query was typed: tells that of a query that does not. */
  pageLang?: string;
  explain: boolean;
}

export interface SearchResults {
  query: string;
  total: number;
  totalCapped: boolean;
  page: number;
  perPage: number;
  tookMs: number;
  backend: SearchIndex["backend"];
  /** Signals that failed and were left out. */
  degraded: string[];
  /** No document has the quoted phrases of a long query: they were taken as words. */
  relaxed?: true;
  /** Words of which the last one of the query was taken as the beginning, commonest first. */
  completions?: readonly string[];
  /** Matches left out by the reader's own choice; undefined: none was made. */
  hidden?: HiddenHosts;
  /** Near duplicates left out of the results looked at; `collapse` none shows them. */
  folded: number;
  hits: Hit[];
  facets: CandidateSet["facets"];
  didYouMean: string | null;
  /** Places that the query names; undefined: none. */
  places?: NamedPlaces;
}

export interface HiddenHosts {
  /** Null: too many to be counted cheaply. */
  count: number | null;
  /** Those that have some; all blocked ones when that is not known. */
  hosts: string[];
}

export interface Hit {
  id: number;
  url: string;
  host: string;
  lang: string | null;
  title: Segment[];
  snippet: Segment[];
  /** What a language model made of the text, as plain text; null: nothing. */
  summary: string | null;
  publishedAt: Date | null;
  crawledAt: Date;
  moreFromHost: number;
  /** Of the near duplicates left out those that nearly repeat this hit. */
  folded: number;
  score: number;
  explain?: Breakdown;
}

export interface SearchConfig {
  ranking?: Ranking;
  /** Places of the region, to be known in queries; undefined: there is no region. */
  gazetteer?: Gazetteer | undefined;
  /** Milliseconds that only go forward, for tookMs. */
  now?: () => number;
  /** Epoch ms. */
  today?: () => number;
}

/** Rejects with IndexUnavailable when the index cannot be read; no query is an error. */
export async function search(
  index: SearchIndex,
  request: SearchRequest,
  { ranking = {}, gazetteer, now = () => performance.now(), today = Date.now }: SearchConfig = {},
): Promise<SearchResults> {
  const began = now();
  const { places, named } = placesOf(gazetteer, request.query, request.region);
  const told = { ...request, askedAt: askedAt(today()) };
  const placed = places === undefined ? told : { ...told, places };
  const results = await (index.answer?.(placed, ranking) ?? answer(index, placed, ranking));
  const shown = named === undefined ? results : { ...results, places: named };
  return { ...shown, tookMs: Math.round((now() - began) * 10) / 10 };
}
