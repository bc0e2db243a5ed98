import type { Database } from "bun:sqlite";
import type { CandidateFilter } from "../port.ts";
import type { ParsedQuery } from "../query.ts";
import type { HiddenHosts } from "../search.ts";
import { rowsBeside } from "./alternatives.ts";
import { BestRows } from "./best.ts";
import { addSalient, type Reach, raiseSalient } from "./choose.ts";
import { anyOf, type Match, matchOf, within } from "./match.ts";
import { type CommonWords, lookForNewest } from "./newest.ts";
import {
  alternativesMax,
  type Plan,
  type PlannedAlternative,
  type PlannedConcept,
  plannedForms,
  planOf,
  postingsMax,
} from "./plan.ts";
import { countPostings, readNewest, readPostings } from "./postings.ts";
import { readTotals, type Totals } from "./read.ts";
import { matchingOf, verifierOf } from "./verify.ts";
import { readDf } from "./vocabulary.ts";
import { favourHosts, hiddenBy } from "./wishes.ts";

/** Words left out of which it is still asked what they share with the others: 4 ms each at most. */
const SHARED_WORDS_MAX = 3;
const SHARED_DF_MAX = 60_000;
/** The rarest words only: of a long query it tells more how many of them a document has. */
const SALIENT_WORDS_MAX = 8;
/** Rows looked at for the words of a query that has only common ones. */
const COMMON_ROWS_MAX = 3_000;
const TOTAL_MAX = 10_000;
/** A df that lags need not be counted from here on. */
const TOTAL_SURE = 12_000;
/** So few need no choosing. No filter's limit: more candidates must begin as fewer ones do. */
const CHOSEN_MIN = 200;
/** Rows kept for facets, to choose the candidates from, and to look at the order of their words. */
const ROWS_MAX = 1_000;
/** Newest ones at least. */
const NEWEST_MIN = 200;

export interface Selection {
  /** Likely the best first, or the newest. */
  rows: number[];
  /** Facets are counted over them: the same, or as many matches as come first. */
  faceted: readonly number[];
  /** There are so many that score() is to tell the best of them. */
  isChosen: boolean;
  hidden: HiddenHosts | null;
  total: number;
  totalCapped: boolean;
  df: Map<string, number>;
  totals: Totals;
}

/**
 * Finds rows without bm25() and ORDER BY rank, which read every posting: postings of one concept
 * after the other, rarest first, add up the IDF that each row covers. score() does the rest.
 */
export function selectRows(
  db: Database,
  query: ParsedQuery,
  filter: CandidateFilter,
  { rowsMax }: Pick<Reach, "rowsMax">,
): Selection {
  const totals = readTotals(db);
  const match = matchOf(query, filter, totals.langs);
  const df = readDf(db, plannedForms(query.concepts, totals.langs));
  const plan = planOf(query.concepts, { ...totals, df });
  const verifier = verifierOf(query);
  const newest = verifier === null ? Math.max(filter.limit, NEWEST_MIN) : ROWS_MAX;
  const wanted = { query, sort: filter.sort, newest, rowsMax, documents: totals.documents };
  const found = findRows(db, plan, match, wanted);
  const checked = verifier === null ? found : verified(found, matchingOf(db, found.rows, verifier));
  return {
    rows: checked.rows,
    faceted: checked.faceted ?? checked.rows,
    hidden: hiddenBy(db, query, { plan, alternatives: found.alternatives ?? [] }, match, verifier),
    isChosen: filter.sort === "relevance" && checked.rows.length > CHOSEN_MIN,
    total: Math.min(checked.total, TOTAL_MAX),
    totalCapped: checked.isCapped || checked.total > TOTAL_MAX,
    df,
    totals,
  };
}

interface Wanted {
  query: ParsedQuery;
  /** How many rows are kept to choose from. */
  rowsMax: number;
  sort: CandidateFilter["sort"];
  /** How many of them are asked for. */
  newest: number;
  documents: number;
}

interface Found {
  rows: number[];
  /** Of those planned the ones that were looked for. */
  alternatives?: readonly PlannedAlternative[];
  faceted?: readonly number[];
  total: number;
  isCapped: boolean;
}

function findRows(db: Database, plan: Plan, match: Match, wanted: Wanted): Found {
  if (wanted.sort === "date") return byDate(db, plan, match, wanted);
  const find = plan.isCommon ? byCommon : byRelevance;
  return find(db, plan, match, wanted);
}

function byRelevance(db: Database, plan: Plan, match: Match, wanted: Wanted): Found {
  const { query, rowsMax, documents } = wanted;
  const best = new BestRows();
  const postings = postingsMax(documents);
  let left = postings;
  let isCapped = false;
  const read = (expression: string | null): Float64Array => {
    const rows = readPostings(db, within(match, expression), match.dates, left);
    if (rows.length >= left) isCapped = true;
    // A df that lags must not leave the last concept without any.
    left = Math.max(left - rows.length, COMMON_ROWS_MAX);
    return rows;
  };
  if (match.hasWords || plan.kept.length === 0) best.add(read(null), 0);
  const rare = [...plan.kept, ...plan.completions];
  const having = rare.map(({ forms, idf }) => {
    const rows = read(anyOf(forms));
    best.add(rows, idf);
    return rows;
  });
  left = Math.min(left, alternativesMax(documents));
  const alternatives: PlannedAlternative[] = [];
  for (const [at, { alternative }] of rare.entries()) {
    // So many have the words themselves that nobody gets to see what else may stand for them.
    if (best.size >= ROWS_MAX) break;
    if (alternative === null) continue;
    alternatives.push(alternative);
    best.add(rowsBeside(having[at]!, read(alternative.expression)), alternative.idf);
  }
  if (best.size > CHOSEN_MIN) {
    const kept = rare.flatMap((concept) => concept.forms);
    for (const concept of plan.leftOut.slice(0, SHARED_WORDS_MAX)) {
      if (concept.cost > SHARED_DF_MAX) continue;
      const shared = within(match, `${anyOf(concept.forms)} AND ${anyOf(kept)}`);
      best.cover(readPostings(db, shared, match.dates, postings), concept.idf);
    }
    const salient = [...rare, ...plan.leftOut].slice(0, SALIENT_WORDS_MAX);
    raiseSalient(db, salient, best, documents);
  }
  const total = best.size;
  if (total > CHOSEN_MIN) favourHosts(db, query, plan, match, best);
  return { rows: best.top(rowsMax), alternatives, total, isCapped };
}

/** Only common words: the documents about them, those with all of them, else the first of any. */
function byCommon(db: Database, plan: Plan, match: Match, wanted: Wanted): Found {
  if (!isFree(match)) return byFilter(db, plan, match, wanted);
  const best = new BestRows();
  addSalient(db, plan.kept.slice(0, SALIENT_WORDS_MAX), best, wanted.documents);
  const any = plan.kept.map((concept) => anyOf(concept.forms));
  const idfSum = plan.kept.reduce((sum, concept) => sum + concept.idf, 0);
  if (best.size < ROWS_MAX) addFirst(db, any.join(" AND "), match, best, idfSum);
  if (best.size < ROWS_MAX && any.length > 1) addFirst(db, `(${any.join(" OR ")})`, match, best, 0);
  favourHosts(db, wanted.query, plan, match, best);
  const total = totalOf(db, plan, match);
  return { rows: best.top(wanted.rowsMax), total, isCapped: total > TOTAL_MAX };
}

/** The first that pass the filter, those before others that are about the words. */
function byFilter(db: Database, plan: Plan, match: Match, wanted: Wanted): Found {
  const { query, rowsMax, documents } = wanted;
  const best = new BestRows();
  const rows = readPostings(db, anyConcept(plan, match), match.dates, TOTAL_MAX + 1);
  best.add(rows, 0);
  if (rows.length > CHOSEN_MIN) {
    raiseSalient(db, plan.kept.slice(0, SALIENT_WORDS_MAX), best, documents);
  }
  if (rows.length > CHOSEN_MIN) favourHosts(db, query, plan, match, best);
  return { rows: best.top(rowsMax), total: rows.length, isCapped: rows.length > TOTAL_MAX };
}

/** Counted no further than it is told; a word that so many have need not be counted at all. */
function totalOf(db: Database, plan: Plan, match: Match): number {
  const most = Math.max(0, ...plan.kept.map(({ cost, forms }) => cost / forms.length));
  if (isFree(match) && most > TOTAL_SURE) return TOTAL_MAX + 1;
  return countPostings(db, anyConcept(plan, match), match.dates, TOTAL_MAX + 1);
}

function addFirst(
  db: Database,
  expression: string,
  match: Match,
  best: BestRows,
  weight: number,
): void {
  const rows = readPostings(db, within(match, expression), match.dates, COMMON_ROWS_MAX);
  best.add(rows, weight);
}

function byDate(db: Database, plan: Plan, match: Match, { documents, newest }: Wanted): Found {
  const expression = anyConcept(plan, match);
  const around = { dates: match.dates, documents, limit: newest };
  const mayLook = match.must === null && match.not === null && plan.kept.length > 0;
  const rows =
    (mayLook ? lookForNewest(db, commonOf(plan), around) : null) ??
    readNewest(db, expression, match.dates, newest);
  if (rows.length < newest) return { rows, total: rows.length, isCapped: false };
  const total = totalOf(db, plan, match);
  // The newest thousand of a word that most have would cost ten times as much.
  const faceted = [...readPostings(db, expression, match.dates, ROWS_MAX)];
  return { rows, faceted, total, isCapped: total > TOTAL_MAX };
}

const isFree = ({ must, not, dates }: Match): boolean =>
  must === null && not === null && dates === null;

const commonOf = (plan: Plan): CommonWords => ({
  forms: matching(plan).flatMap(({ forms }) => forms),
  df: Math.max(...matching(plan).map(({ cost, forms }) => cost / forms.length)),
  cost: matching(plan).reduce((sum, { cost }) => sum + cost, 0),
});

/** Concepts of which any makes a match, where no words are required. */
const matching = (plan: Plan): PlannedConcept[] =>
  plan.isCommon ? plan.kept : [...plan.kept, ...plan.completions];

/** What counts as a match: with words required, the others merely rank what has those. */
function anyConcept(plan: Plan, match: Match): string {
  const any = matching(plan)
    .map((concept) => anyOf(concept.forms))
    .join(" OR ");
  return within(match, any === "" || match.hasWords ? null : `(${any})`);
}

/** Beyond the bound of rows looked at, the total is a lower one. */
const verified = (found: Found, rows: number[]): Found => ({
  rows,
  total: rows.length,
  isCapped: found.total > found.rows.length,
});
