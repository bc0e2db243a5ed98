import { type Arranged, arrange, CANDIDATES_FIRST } from "./arrange.ts";
import type { SearchIndex } from "./port.ts";
import { type ParsedQuery, parseQuery } from "./query.ts";
import { type Retrieved, retrieve, retrieveMore } from "./retrieve.ts";
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
  /**
   * For a page that answers while the query is typed: a last word that few documents have is also
   * taken as the beginning of longer ones; without it, only one that no document has.
   */
  isAsTyped?: boolean;
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
  /** Near duplicates left out of the results looked at; `collapse` none shows them. */
  folded: number;
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
  /** Of the near duplicates left out those that nearly repeat this hit. */
  folded: number;
  score: number;
  explain?: Breakdown;
}

export interface SearchConfig {
  ranking?: Ranking;
  /** Milliseconds that only go forward, for tookMs. */
  now?: () => number;
}

/** Documents scored at most: what two a host leave of them should fill every page. */
const CANDIDATES_ALL = 800;
/** Results that the first candidates mostly fill; if they do not, all are asked for. */
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
  const end = page * perPage;
  const now = config.now ?? (() => performance.now());
  const began = now();
  const { retrieved, scorer, arranged } = await answer(index, request, config, end);
  const { query, found } = retrieved;
  const shown = arranged.results.slice(end - perPage, end);
  const texts = await textsOf(index, shown);
  return {
    query: request.query,
    // With every match at hand, those that only seemed to match are not counted.
    total: found.total <= CANDIDATES_FIRST ? arranged.matches : found.total,
    totalCapped: found.totalCapped,
    page,
    perPage,
    tookMs: Math.round((now() - began) * 10) / 10,
    backend: index.backend,
    degraded: [...scorer.degraded],
    ...(retrieved.isRelaxed ? { relaxed: true as const } : {}),
    ...completionsOf(query),
    folded: arranged.folded,
    hits: shown.map(({ result, moreFromHost, folded }) => ({
      ...hitOf(result, query, texts),
      moreFromHost,
      folded,
      ...(request.explain ? { explain: result.breakdown } : {}),
    })),
    facets: { ...found.facets, category: [] },
    didYouMean: null,
  };
}

interface Answer {
  retrieved: Retrieved;
  scorer: Scorer;
  arranged: Arranged;
}

/**
 * The results up to `end`. Candidates are asked for as few as will do; how many they are never
 * changes which results come first.
 */
async function answer(
  index: SearchIndex,
  request: SearchRequest,
  { ranking }: SearchConfig,
  end: number,
): Promise<Answer> {
  const parsed = parseQuery(request.query);
  const arranging = { sort: request.sort, isCollapsed: collapses(parsed, request) };
  const judge = (retrieved: Retrieved): Answer => {
    const scorer = createScorer(retrieved.query, retrieved.found, ranking);
    return { retrieved, scorer, arranged: arrange(retrieved.found, scorer, arranging) };
  };
  const limit = end <= FIRST_RESULTS ? CANDIDATES_FIRST : CANDIDATES_ALL;
  const first = judge(await retrieve(index, parsed, request, limit));
  const hasMore = limit < CANDIDATES_ALL && first.retrieved.found.total > limit;
  if (!hasMore || first.arranged.results.length >= end) return first;
  return judge(await retrieveMore(index, first.retrieved, request, CANDIDATES_ALL));
}

function completionsOf(query: ParsedQuery): Pick<SearchResults, "completions"> {
  const words = query.concepts.flatMap(({ completions = [] }) => completions);
  return words.length === 0 ? {} : { completions: words };
}

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
): Omit<Hit, "moreFromHost" | "folded"> {
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
