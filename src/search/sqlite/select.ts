import type { Database } from "bun:sqlite";
import type { CandidateFilter } from "../port.ts";
import type { ParsedQuery } from "../query.ts";
import { COMPLETION_WEIGHT } from "../score.ts";
import { BestRows } from "./best.ts";
import { addSalient, raiseSalient } from "./choose.ts";
import { anyOf, formsOf, type Match, matchOf, within } from "./match.ts";
import { type CommonWords, lookForNewest } from "./newest.ts";
import { countPostings, readNewest, readPostings } from "./postings.ts";
import { readTotals, type Totals } from "./read.ts";
import { matchingOf, verifierOf } from "./verify.ts";
import { readDf } from "./vocabulary.ts";

/** Postings read for one search, 3 ms: commoner words are left out if a rarer one is there. */
const POSTINGS_MAX = 15_000;
/** Words left out of which it is still asked what they share with the others: 4 ms each at most. */
const SHARED_WORDS_MAX = 3;
const SHARED_DF_MAX = 60_000;
/** The rarest words only: of a long query it tells more how many of them a document has. */
const SALIENT_WORDS_MAX = 3;
/** Rows looked at for the words of a query that has only common ones. */
const COMMON_ROWS_MAX = 3_000;
const TOTAL_MAX = 10_000;
/** So few need no choosing. No filter's limit: more candidates must begin as fewer ones do. */
const CHOSEN_MIN = 200;
/** Documents whose order of words is looked at. */
const VERIFIED_MAX = 1_000;
/** Rows kept for facets, and to choose the candidates from. */
const ROWS_MAX = 1_000;

export interface Selection {
  /** Likely the best first, or the newest. */
  rows: number[];
  /** There are so many that score() is to tell the best of them. */
  isChosen: boolean;
  total: number;
  totalCapped: boolean;
  df: Map<string, number>;
  totals: Totals;
}

/**
 * Finds rows without bm25() and ORDER BY rank, which read every posting: postings of one concept
 * after the other, rarest first, add up the IDF that each row covers. score() does the rest.
 */
export function selectRows(db: Database, query: ParsedQuery, filter: CandidateFilter): Selection {
  const totals = readTotals(db);
  const match = matchOf(query, filter, totals.langs);
  const forms = query.concepts.map((concept) => formsOf(concept, totals.langs));
  const completions = query.concepts.flatMap((concept) => concept.completions ?? []);
  const df = readDf(db, [...forms.flat(), ...completions]);
  const plan = {
    ...planOf(forms, df, totals.documents),
    completion: completionOf(completions, df, totals.documents),
  };
  const found = findRows(db, plan, match, { filter, documents: totals.documents });
  const verifier = verifierOf(query);
  const checked = verifier === null ? found : verified(found, matchingOf(db, found.rows, verifier));
  return {
    rows: checked.rows.slice(0, ROWS_MAX),
    isChosen: filter.sort === "relevance" && checked.rows.length > CHOSEN_MIN,
    total: Math.min(checked.total, TOTAL_MAX),
    totalCapped: checked.isCapped || checked.total > TOTAL_MAX,
    df,
    totals,
  };
}

interface PlannedConcept {
  forms: readonly string[];
  cost: number;
  idf: number;
  share: number;
}

interface Plan {
  /** Rarest first; at least one when there is any. */
  kept: PlannedConcept[];
  leftOut: PlannedConcept[];
  /** All concepts are common: a bounded number of rows is looked at. */
  isCommon: boolean;
  /** Longer words that the last one begins. */
  completion: PlannedConcept | null;
}

interface Found {
  rows: number[];
  total: number;
  isCapped: boolean;
}

function planOf(
  forms: readonly (readonly string[])[],
  df: ReadonlyMap<string, number>,
  documents: number,
): Omit<Plan, "completion"> {
  const costOf = (own: readonly string[]) =>
    own.reduce((sum, form) => sum + (df.get(form) ?? 0), 0);
  const concepts = forms
    .map((own) => weighed(own, costOf(own), documents))
    .sort((one, other) => one.cost - other.cost);
  let cost = 0;
  let kept = 0;
  for (const concept of concepts) {
    cost += concept.cost;
    if (cost <= POSTINGS_MAX) kept++;
  }
  if (kept === 0) return { kept: concepts, leftOut: [], isCommon: concepts.length > 0 };
  return { kept: concepts.slice(0, kept), leftOut: concepts.slice(kept), isCommon: false };
}

/** The first word in any case, as the likeliest; others while their postings are not too many. */
function completionOf(
  words: readonly string[],
  df: ReadonlyMap<string, number>,
  documents: number,
): PlannedConcept | null {
  const forms: string[] = [];
  let cost = 0;
  for (const word of words) {
    const own = df.get(word) ?? 0;
    if (forms.length > 0 && cost + own > POSTINGS_MAX) continue;
    forms.push(word);
    cost += own;
  }
  if (forms.length === 0) return null;
  const concept = weighed(forms, cost, documents);
  return { ...concept, idf: concept.idf * COMPLETION_WEIGHT };
}

const weighed = (forms: readonly string[], cost: number, documents: number): PlannedConcept => ({
  forms,
  cost,
  idf: idfOf(cost, documents),
  share: Math.min(1, cost / Math.max(1, documents)),
});

const idfOf = (df: number, documents: number): number =>
  Math.log(1 + Math.max(documents - df, 0.5) / (df + 0.5));

function findRows(
  db: Database,
  plan: Plan,
  match: Match,
  { filter, documents }: { filter: CandidateFilter; documents: number },
): Found {
  if (filter.sort === "date") return byDate(db, plan, match, documents);
  return plan.isCommon ? byCommon(db, plan, match) : byRelevance(db, plan, match);
}

function byRelevance(db: Database, plan: Plan, match: Match): Found {
  const best = new BestRows();
  let left = POSTINGS_MAX;
  let isCapped = false;
  const read = (expression: string | null): Float64Array => {
    const rows = readPostings(db, within(match, expression), match.dates, left);
    if (rows.length >= left) isCapped = true;
    // A df that lags must not leave the last concept without any.
    left = Math.max(left - rows.length, COMMON_ROWS_MAX);
    return rows;
  };
  if (match.hasWords || plan.kept.length === 0) best.add(read(null), 0);
  const rare = plan.completion === null ? plan.kept : [...plan.kept, plan.completion];
  for (const concept of rare) best.add(read(anyOf(concept.forms)), concept.idf);
  if (best.size > CHOSEN_MIN) {
    const kept = rare.flatMap((concept) => concept.forms);
    for (const concept of plan.leftOut.slice(0, SHARED_WORDS_MAX)) {
      if (concept.cost > SHARED_DF_MAX) continue;
      const shared = within(match, `${anyOf(concept.forms)} AND ${anyOf(kept)}`);
      best.cover(readPostings(db, shared, match.dates, POSTINGS_MAX), concept.idf);
    }
    for (const concept of [...rare, ...plan.leftOut].slice(0, SALIENT_WORDS_MAX)) {
      raiseSalient(db, concept, match, best, CHOSEN_MIN);
    }
  }
  return { rows: best.top(VERIFIED_MAX), total: best.size, isCapped };
}

/** Only common words: the documents about them, those with all of them, else the first of any. */
function byCommon(db: Database, plan: Plan, match: Match): Found {
  const best = new BestRows();
  const rarest = plan.kept.slice(0, SALIENT_WORDS_MAX);
  addSalient(db, rarest, match, best);
  const any = plan.kept.map((concept) => anyOf(concept.forms));
  const idfSum = plan.kept.reduce((sum, concept) => sum + concept.idf, 0);
  if (best.size < ROWS_MAX) addFirst(db, any.join(" AND "), match, best, idfSum);
  if (best.size < ROWS_MAX && any.length > 1) addFirst(db, `(${any.join(" OR ")})`, match, best, 0);
  const total = countPostings(db, anyConcept(plan, match), match.dates, TOTAL_MAX + 1);
  return { rows: best.top(VERIFIED_MAX), total, isCapped: total > TOTAL_MAX };
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

function byDate(db: Database, plan: Plan, match: Match, documents: number): Found {
  const expression = anyConcept(plan, match);
  const around = { dates: match.dates, documents, limit: VERIFIED_MAX };
  const mayLook = match.must === null && match.not === null && plan.kept.length > 0;
  const rows =
    (mayLook ? lookForNewest(db, commonOf(plan), around) : null) ??
    readNewest(db, expression, match.dates, VERIFIED_MAX);
  const total =
    rows.length < VERIFIED_MAX
      ? rows.length
      : countPostings(db, expression, match.dates, TOTAL_MAX + 1);
  return { rows, total, isCapped: total > TOTAL_MAX };
}

const commonOf = (plan: Plan): CommonWords => ({
  forms: matching(plan).flatMap(({ forms }) => forms),
  df: Math.max(...matching(plan).map(({ cost, forms }) => cost / forms.length)),
  cost: matching(plan).reduce((sum, { cost }) => sum + cost, 0),
});

/** Concepts of which any makes a match, where no words are required. */
const matching = (plan: Plan): PlannedConcept[] =>
  plan.isCommon || plan.completion === null ? plan.kept : [...plan.kept, plan.completion];

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
