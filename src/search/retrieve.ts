import { ForwardData } from "../text/forward-data.ts";
import { hashText } from "../text/hash.ts";
import { CANDIDATES_FIRST } from "./arrange.ts";
import { complete, unfinishedWord } from "./complete.ts";
import type { CandidateFilter, CandidateSet, CandidateSource } from "./port.ts";
import { isEmptyQuery, type ParsedQuery, withoutPhrases } from "./query.ts";
import { formsIn } from "./query-word.ts";
import type { SearchRequest } from "./search.ts";

export interface Retrieved {
  /** The query as it was answered in the end. */
  query: ParsedQuery;
  found: CandidateSet;
  /** Its phrases were taken as mere words. */
  isRelaxed: boolean;
}

/** Asks for candidates; a query that finds too little is asked again in a milder form. */
export async function retrieve(
  index: CandidateSource,
  parsed: ParsedQuery,
  request: SearchRequest,
  limit: number,
): Promise<Retrieved> {
  if (isEmptyQuery(parsed)) return { query: parsed, found: NOTHING, isRelaxed: false };
  const filter = filterOf(request, limit);
  const found = await index.candidates(parsed, filter);
  if (found.total === 0 && isLong(parsed)) {
    const relaxed = withoutPhrases(parsed);
    return { query: relaxed, found: await index.candidates(relaxed, filter), isRelaxed: true };
  }
  const query = mayBeUnfinished(parsed, found, request) ? await complete(index, parsed) : parsed;
  if (query === parsed) return { query, found, isRelaxed: false };
  return { query, found: await index.candidates(query, filter), isRelaxed: false };
}

/** More candidates of what was retrieved. */
export async function retrieveMore(
  index: CandidateSource,
  retrieved: Retrieved,
  request: SearchRequest,
  limit: number,
): Promise<Retrieved> {
  const found = await index.candidates(retrieved.query, filterOf(request, limit));
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
  { df, candidates }: CandidateSet,
  { isAsTyped, sort }: SearchRequest,
): boolean {
  const word = unfinishedWord(query);
  if (word === null) return false;
  const enough = isAsTyped === true && sort === "relevance" ? FEW_DOCUMENTS : 1;
  const forms = formsIn(null, word);
  if (forms.some((form) => (df.get(form) ?? 0) >= enough)) return false;
  // df lags by seconds.
  const hashes = forms.map(hashText);
  const having = candidates.slice(0, CANDIDATES_FIRST).filter(({ forward }) => {
    const data = ForwardData.read(forward);
    return data !== null && hashes.some((hash) => data.find(hash) >= 0);
  });
  return having.length < enough;
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
