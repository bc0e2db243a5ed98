import type { Ranking } from "../ranking.ts";
import { complete, unfinishedWord } from "./complete.ts";
import { correct } from "./correct.ts";
import { isKnown } from "./known-word.ts";
import type { CandidateFilter, CandidateSet, CandidateSource } from "./port.ts";
import { isEmptyQuery, type ParsedQuery, withoutPhrases } from "./query.ts";
import type { SearchRequest } from "./search.ts";

export interface Retrieved {
  /** The query as it was answered in the end. */
  query: ParsedQuery;
  found: CandidateSet;
  /** Its phrases were taken as mere words. */
  isRelaxed: boolean;
  /** With words that documents have, where it has others; null: its words are known. */
  didYouMean: string | null;
}

interface Wanted {
  limit: number;
  /** What they are chosen by. */
  ranking: Ranking;
}

/** Asks for candidates; a query that finds too little is asked again in a milder form. */
export async function retrieve(
  index: CandidateSource,
  parsed: ParsedQuery,
  request: SearchRequest,
  { limit, ranking }: Wanted,
): Promise<Retrieved> {
  const asked = { query: parsed, isRelaxed: false, didYouMean: null };
  if (isEmptyQuery(parsed)) return { ...asked, found: NOTHING };
  const filter = filterOf(request, limit);
  const candidates = (query: ParsedQuery) => index.candidates(query, filter, ranking);
  const found = await candidates(parsed);
  if (found.total < RELAXED_BELOW && isLong(parsed)) {
    const query = withoutPhrases(parsed);
    return { ...asked, query, found: await candidates(query), isRelaxed: true };
  }
  const whole = mayBeUnfinished(parsed, found, request) ? await complete(index, parsed) : parsed;
  const { query, didYouMean } = await correct(index, whole, found);
  if (query === parsed) return { ...asked, found, didYouMean };
  return { ...asked, query, found: await candidates(query), didYouMean };
}

/** More candidates of what was retrieved. */
export async function retrieveMore(
  index: CandidateSource,
  retrieved: Retrieved,
  request: SearchRequest,
  { limit, ranking }: Wanted,
): Promise<Retrieved> {
  const found = await index.candidates(retrieved.query, filterOf(request, limit), ranking);
  return { ...retrieved, found };
}

const NOTHING: CandidateSet = {
  candidates: [],
  total: 0,
  totalCapped: false,
  df: new Map(),
  documents: 0,
  averageLengths: { title: 0, headings: 0, body: 0, anchors: 0, host: 0, path: 0 },
  facets: { lang: [], host: [], category: [], year: [] },
};

/**
 * A query with as many words besides its phrases is a description: it must not lose its answers.
 */
const LONG_QUERY_WORDS = 6;
/** With fewer answers its phrases are taken as words. */
const RELAXED_BELOW = 10;

function isLong(query: ParsedQuery): boolean {
  const quoted = query.required.phrases.flat(2).length;
  return quoted > 0 && query.concepts.length - quoted >= LONG_QUERY_WORDS;
}

/** Documents that have a word: with fewer, more of what was meant may lie behind longer words. */
const FEW_DOCUMENTS = 10;

/**
 * Too few documents have the last word as it is typed: it may be the beginning of another. Sorted
 * by date, what merely begins so would stand among the others, and not below them.
 */
function mayBeUnfinished(
  query: ParsedQuery,
  found: CandidateSet,
  { isAsTyped, sort }: SearchRequest,
): boolean {
  const word = unfinishedWord(query);
  if (word === null) return false;
  const enough = isAsTyped === true && sort === "relevance" ? FEW_DOCUMENTS : 1;
  return !isKnown(word, found, enough);
}

function filterOf(request: SearchRequest, limit: number): CandidateFilter {
  const { lang, host, category, sort } = request;
  const { from, to } = datesOf(request);
  return {
    sort,
    limit,
    ...(lang === undefined ? {} : { lang: lang.toLowerCase() }),
    ...(host === undefined ? {} : { host: host.toLowerCase() }),
    ...(category === undefined ? {} : { category }),
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
