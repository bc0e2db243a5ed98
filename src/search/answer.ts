import type { Ranking } from "../ranking.ts";
import { type Arranged, arrange, CANDIDATES_FIRST } from "./arrange.ts";
import { wishesLeft } from "./host-wishes.ts";
import { nameOf } from "./navigational.ts";
import type { CandidateSource } from "./port.ts";
import { type ParsedQuery, parseQuery } from "./query.ts";
import { type Retrieved, retrieve, retrieveMore } from "./retrieve.ts";
import { createScorer, type Scored, type Scorer } from "./score.ts";
import type { Hit, SearchRequest, SearchResults } from "./search.ts";
import { markTitle, matcherOf, snippetOf } from "./snippet.ts";
import { loadSynonyms } from "./synonym-files.ts";
import { widened } from "./widen.ts";

/** Documents scored at most: what two a host leave of them should fill every page. */
const CANDIDATES_ALL = 800;
/** Results that the first candidates mostly fill; if they do not, all are asked for. */
const FIRST_RESULTS = 50;
const RESULTS_MAX = 200;
const PER_PAGE_MAX = 100;

/** Answers a request from the candidates of an index, wherever they are. */
export async function answer(
  index: CandidateSource,
  request: SearchRequest,
  ranking: Ranking,
): Promise<Omit<SearchResults, "tookMs">> {
  const perPage = clamp(request.perPage, 1, PER_PAGE_MAX);
  const page = clamp(request.page, 1, Math.floor(RESULTS_MAX / perPage));
  const end = page * perPage;
  const { retrieved, scorer, arranged } = await judge(index, request, ranking, end);
  const { query, found } = retrieved;
  const shown = arranged.results.slice(end - perPage, end);
  const [texts, summaries] = await Promise.all([
    ofShown(shown, (ids) => index.texts(ids)),
    ofShown(shown, (ids) => index.summaries(ids)),
  ]);
  return {
    query: request.query,
    // With every match at hand, those that only seemed to match are not counted.
    total: found.total <= CANDIDATES_FIRST ? arranged.matches : found.total,
    totalCapped: found.totalCapped,
    page,
    perPage,
    backend: index.backend,
    degraded: [...scorer.degraded],
    ...(retrieved.isRelaxed ? { relaxed: true as const } : {}),
    ...completionsOf(query),
    ...(found.hidden === undefined ? {} : { hidden: found.hidden }),
    folded: arranged.folded,
    hits: shown.map(({ result, moreFromHost, folded }) => ({
      ...hitOf(result, query, texts),
      summary: summaries.get(result.candidate.id) ?? null,
      moreFromHost,
      folded,
      ...(request.explain ? { explain: result.breakdown } : {}),
    })),
    facets: found.facets,
    didYouMean: retrieved.didYouMean,
  };
}

interface Judged {
  retrieved: Retrieved;
  scorer: Scorer;
  arranged: Arranged;
}

/**
 * The results up to `end`. Candidates are asked for as few as will do; how many they are never
 * changes which results come first.
 */
async function judge(
  index: CandidateSource,
  request: SearchRequest,
  ranking: Ranking,
  end: number,
): Promise<Judged> {
  const parsed = asked(understood(index, request), request);
  const arranging = { sort: request.sort, isCollapsed: collapses(parsed, request) };
  const judged = (retrieved: Retrieved): Judged => {
    const { query, found } = retrieved;
    const scorer = found.scorer ?? createScorer(query, found, ranking);
    return { retrieved, scorer, arranged: arrange(found, scorer, arranging) };
  };
  const limit = end <= FIRST_RESULTS ? CANDIDATES_FIRST : CANDIDATES_ALL;
  const first = judged(await retrieve(index, parsed, request, { limit, ranking }));
  const hasMore = limit < CANDIDATES_ALL && first.retrieved.found.total > limit;
  if (!hasMore || first.arranged.results.length >= end) return first;
  return judged(
    await retrieveMore(index, first.retrieved, request, { limit: CANDIDATES_ALL, ranking }),
  );
}

/**
 * By date, what merely means the same would stand among the others, and not below them: there the
 * words count as typed.
 */
function understood(index: CandidateSource, request: SearchRequest): ParsedQuery {
  const langs = index.langs?.();
  const query = parseQuery(request.query, langs);
  if (request.sort === "date") return query;
  const { synonyms } = loadSynonyms();
  return widened(query, synonyms, langs, { filter: request.lang, page: request.pageLang });
}

function completionsOf(query: ParsedQuery): Pick<SearchResults, "completions"> {
  const completed = query.concepts.filter(({ isMistyped }) => !isMistyped);
  const words = completed.flatMap(({ completions = [] }) => completions);
  return words.length === 0 ? {} : { completions: words };
}

/** The query with what its request says beside its words. */
const asked = (
  query: ParsedQuery,
  { places, askedAt, wishes, host }: SearchRequest,
): ParsedQuery => ({
  ...query,
  ...wished(wishes, [...query.required.sites, ...(host === undefined ? [] : [host])]),
  ...(places === undefined ? {} : { places }),
  ...(askedAt === undefined ? {} : { askedAt }),
  name: nameOf(query.text),
});

function wished(
  wishes: SearchRequest["wishes"],
  asked: readonly string[],
): Pick<ParsedQuery, "wishes"> {
  const left = wishes && wishesLeft(wishes, asked);
  return left === undefined ? {} : { wishes: left };
}

function collapses(query: ParsedQuery, request: SearchRequest): boolean {
  const names = request.host !== undefined || query.required.sites.length > 0;
  return (request.collapse ?? (names ? "none" : "host")) === "host";
}

async function ofShown(
  shown: readonly { result: Scored }[],
  read: (ids: readonly number[]) => Promise<Map<number, string>>,
): Promise<Map<number, string>> {
  if (shown.length === 0) return new Map();
  return read(shown.map(({ result }) => result.candidate.id));
}

function hitOf(
  { candidate, score }: Scored,
  query: ParsedQuery,
  texts: ReadonlyMap<number, string>,
): Omit<Hit, "summary" | "moreFromHost" | "folded"> {
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
