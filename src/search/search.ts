import { collapseHosts } from "./collapse.ts";
import { foldDuplicates } from "./duplicates.ts";
import type { CandidateFilter, CandidateSet, SearchIndex } from "./port.ts";
import { isEmptyQuery, type ParsedQuery, parseQuery, withoutPhrases } from "./query.ts";
import { createScorer, type Scored, type Scorer } from "./score.ts";
import type { Breakdown, Ranking } from "./signals.ts";
import { markTitle, matcherOf, type Segment, snippetOf } from "./snippet.ts";

export interface SearchRequest {
  query: string;
  /** From 1. */
  page: number;
  perPage: number;
  lang?: string;
  host?: string;
  /** No document has a category yet: asking for one matches nothing. */
  category?: string;
  year?: number;
  /** Epoch ms, inclusive. */
  from?: number;
  to?: number;
  sort: "relevance" | "date";
  /** Unset: by host, but none when the request or the query names a host. */
  collapse?: "host" | "none";
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
  hits: Hit[];
  facets: Record<"lang" | "host" | "category" | "year", [string, number][]>;
  didYouMean: string | null;
}

export interface Hit {
  id: number;
  url: string;
  host: string;
  lang: string | null;
  title: Segment[];
  snippet: Segment[];
  publishedAt: Date | null;
  crawledAt: Date;
  moreFromHost: number;
  score: number;
  explain?: Breakdown;
}

export interface SearchConfig {
  ranking?: Ranking;
  /** Milliseconds that only go forward, for tookMs. */
  now?: () => number;
}

/** Documents scored for the first results, and for all: two a host of them must fill the page. */
const CANDIDATES_FIRST = 200;
const CANDIDATES_ALL = 800;
const FIRST_RESULTS = 50;
const RESULTS_MAX = 200;
const PER_PAGE_MAX = 100;

/** Rejects with IndexUnavailable when the index cannot be read; no query is an error. */
export async function search(
  index: SearchIndex,
  request: SearchRequest,
  config: SearchConfig = {},
): Promise<SearchResults> {
  const perPage = clamp(request.perPage, 1, PER_PAGE_MAX);
  const page = clamp(request.page, 1, Math.floor(RESULTS_MAX / perPage));
  const limit = page * perPage <= FIRST_RESULTS ? CANDIDATES_FIRST : CANDIDATES_ALL;
  const now = config.now ?? (() => performance.now());
  const began = now();
  const parsed = parseQuery(request.query);
  const { query, found } = await find(index, parsed, request, limit);
  const scorer = createScorer(query, found, config.ranking);
  const ranked = rank(found, scorer, request);
  const collapsed = collapses(query, request)
    ? collapseHosts(foldDuplicates(ranked))
    : ranked.map((result) => ({ result, moreFromHost: 0 }));
  const shown = collapsed.slice((page - 1) * perPage, page * perPage);
  const texts = await textsOf(index, shown);
  return {
    query: request.query,
    total: totalOf(found, ranked),
    totalCapped: found.totalCapped,
    page,
    perPage,
    tookMs: Math.round((now() - began) * 10) / 10,
    backend: index.backend,
    degraded: [...scorer.degraded],
    ...(query === parsed ? {} : { relaxed: true as const }),
    hits: shown.map(({ result, moreFromHost }) => ({
      ...hitOf(result, query, texts),
      moreFromHost,
      ...(request.explain ? { explain: result.breakdown } : {}),
    })),
    facets: { ...found.facets, category: [] },
    didYouMean: null,
  };
}

const NOTHING: CandidateSet = {
  candidates: [],
  total: 0,
  totalCapped: false,
  df: new Map(),
  documents: 0,
  averageLengths: { title: 0, headings: 0, body: 0, anchors: 0, host: 0, path: 0 },
  facets: { lang: [], host: [], year: [] },
};

/**
 * A query with as many words besides its phrases is a description: it must not lose its answers.
 */
const LONG_QUERY_WORDS = 6;

async function find(
  index: SearchIndex,
  query: ParsedQuery,
  request: SearchRequest,
  limit: number,
): Promise<{ query: ParsedQuery; found: CandidateSet }> {
  if (!canMatch(query, request)) return { query, found: NOTHING };
  const filter = filterOf(request, limit);
  const found = await index.candidates(query, filter);
  const quoted = query.required.phrases.flat(2).length;
  const isLong = quoted > 0 && query.concepts.length - quoted >= LONG_QUERY_WORDS;
  if (found.total > 0 || !isLong) return { query, found };
  const relaxed = withoutPhrases(query);
  return { query: relaxed, found: await index.candidates(relaxed, filter) };
}

const canMatch = (query: ParsedQuery, request: SearchRequest): boolean =>
  !isEmptyQuery(query) && request.category === undefined;

function filterOf(request: SearchRequest, limit: number): CandidateFilter {
  const { lang, host, sort } = request;
  const { from, to } = datesOf(request);
  return {
    sort,
    limit,
    ...(lang === undefined ? {} : { lang: lang.toLowerCase() }),
    ...(host === undefined ? {} : { host: host.toLowerCase() }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function datesOf({ year, from, to }: SearchRequest): Pick<CandidateFilter, "from" | "to"> {
  if (year === undefined)
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const first = Date.UTC(year, 0);
  const last = Date.UTC(year + 1, 0) - 1;
  return { from: Math.max(first, from ?? first), to: Math.min(last, to ?? last) };
}

/** By score; sorted by date the adapter's order stays. */
function rank(found: CandidateSet, scorer: Scorer, request: SearchRequest): Scored[] {
  const scored = found.candidates
    .map((candidate) => scorer.score(candidate))
    .filter((result) => result !== null);
  if (request.sort === "date") return scored;
  return scored.sort(
    (one, other) => other.score - one.score || one.candidate.id - other.candidate.id,
  );
}

/** With every match at hand, those that only seemed to match are not counted. */
const totalOf = (found: CandidateSet, ranked: readonly Scored[]): number =>
  found.total <= found.candidates.length ? ranked.length : found.total;

function collapses(query: ParsedQuery, request: SearchRequest): boolean {
  const names = request.host !== undefined || query.required.sites.length > 0;
  return (request.collapse ?? (names ? "none" : "host")) === "host";
}

async function textsOf(
  index: SearchIndex,
  shown: readonly { result: Scored }[],
): Promise<Map<number, string>> {
  if (shown.length === 0) return new Map();
  return index.texts(shown.map(({ result }) => result.candidate.id));
}

function hitOf(
  { candidate, score }: Scored,
  query: ParsedQuery,
  texts: ReadonlyMap<number, string>,
): Omit<Hit, "moreFromHost"> {
  const matcher = matcherOf(query, candidate.lang);
  return {
    id: candidate.id,
    url: candidate.url,
    host: candidate.host,
    lang: candidate.lang,
    title: markTitle(candidate.title, matcher),
    snippet: snippetOf(texts.get(candidate.id) ?? "", matcher),
    publishedAt: candidate.publishedAt === null ? null : new Date(candidate.publishedAt),
    crawledAt: new Date(candidate.crawledAt),
    score,
  };
}

const clamp = (value: number, min: number, max: number): number =>
  Math.min(Math.max(Math.trunc(value) || min, min), max);
