import type { Database } from "bun:sqlite";
import type { CandidateFilter } from "../port.ts";
import type { ParsedQuery } from "../query.ts";
import { type BestRows, bestOf } from "./best.ts";
import { anyOf, formsOf, type Match, matchOf, salientOf, within } from "./match.ts";
import { readTotals, type Totals } from "./read.ts";
import { type Verifier, verifierOf } from "./verify.ts";
import { readDf } from "./vocabulary.ts";

/** Postings read for one search, about 10 ms: commoner words are left out when a rarer one is there. */
const POSTINGS_MAX = 60_000;
/** Of a word left out, the documents that are about it still count. */
const SALIENT_MAX = 10_000;
/** Rows looked at for the words of a query that has only common ones. */
const COMMON_ROWS_MAX = 5_000;
const TOTAL_MAX = 10_000;
/** Documents whose order of words is looked at. */
const VERIFIED_MAX = 3_000;
/** Rows kept for facets, and to choose the candidates from. */
const ROWS_MAX = 1_000;
/** A document that is about a word counts as much more as this, before score() reads it. */
const SALIENT_WEIGHT = 0.8;

export interface Selection {
  /** Likely the best first, or the newest. */
  rows: number[];
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
  const df = readDf(db, forms.flat());
  const plan = planOf(forms, df, totals.documents);
  const found = filter.sort === "date" ? byDate(db, plan, match) : byRelevance(db, plan, match);
  const verifier = verifierOf(query);
  const checked = verifier === null ? found : verified(db, found, verifier);
  return {
    rows: checked.rows.slice(0, ROWS_MAX),
    total: Math.min(checked.total, TOTAL_MAX),
    totalCapped: checked.isCapped || checked.total > TOTAL_MAX,
    df,
    totals,
  };
}

interface PlannedConcept {
  forms: readonly string[];
  idf: number;
}

interface Plan {
  /** Rarest first; at least one when there is any. */
  kept: PlannedConcept[];
  leftOut: PlannedConcept[];
  /** All concepts are common: a bounded number of rows is looked at. */
  isCommon: boolean;
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
): Plan {
  const costOf = (own: readonly string[]) =>
    own.reduce((sum, form) => sum + (df.get(form) ?? 0), 0);
  const concepts = forms
    .map((own) => ({ forms: own, cost: costOf(own), idf: idfOf(costOf(own), documents) }))
    .sort((one, other) => one.cost - other.cost);
  let cost = 0;
  const keptCount = concepts.filter((concept) => (cost += concept.cost) <= POSTINGS_MAX).length;
  if (keptCount === 0) return { kept: concepts, leftOut: [], isCommon: concepts.length > 0 };
  return {
    kept: concepts.slice(0, keptCount),
    leftOut: concepts.slice(keptCount),
    isCommon: false,
  };
}

const idfOf = (df: number, documents: number): number =>
  Math.log(1 + Math.max(documents - df, 0.5) / (df + 0.5));

function byRelevance(db: Database, plan: Plan, match: Match): Found {
  const best = bestOf();
  let total = 0;
  let isCapped = false;
  if (plan.isCommon) {
    addCommon(db, plan.kept, match, best);
    const counted = countMatches(db, plan, match);
    total = Math.max(counted, best.size);
    isCapped = counted > TOTAL_MAX;
  } else {
    isCapped = addKept(db, plan.kept, match, best);
    for (const concept of plan.leftOut) addSalient(db, concept, match, best);
    total = best.size;
  }
  return { rows: best.top(VERIFIED_MAX), total, isCapped };
}

/** Adds the documents of each concept; true when there were more than could be read. */
function addKept(
  db: Database,
  concepts: readonly PlannedConcept[],
  match: Match,
  best: BestRows,
): boolean {
  let left = POSTINGS_MAX;
  let isCapped = false;
  const read = (expression: string | null, limit: number): number[] => {
    const rows = readPostings(db, within(match, expression), match, limit);
    if (rows.length >= limit) isCapped = true;
    left = Math.max(left - rows.length, COMMON_ROWS_MAX);
    return rows;
  };
  if (match.hasWords || concepts.length === 0) best.add(read(null, left), 0);
  for (const concept of concepts) {
    best.add(read(anyOf(concept.forms), left), concept.idf);
    addSalient(db, concept, match, best);
  }
  return isCapped;
}

function addSalient(db: Database, concept: PlannedConcept, match: Match, best: BestRows): void {
  const expression = within(match, salientOf(concept.forms));
  best.raise(readPostings(db, expression, match, SALIENT_MAX), concept.idf * SALIENT_WEIGHT);
}

/** Only common words: the documents about them, those with all of them, else the first of any. */
function addCommon(
  db: Database,
  concepts: readonly PlannedConcept[],
  match: Match,
  best: BestRows,
): void {
  for (const concept of concepts) {
    const expression = within(match, salientOf(concept.forms));
    const rows = readPostings(db, expression, match, SALIENT_MAX);
    best.add(rows, concept.idf * (1 + SALIENT_WEIGHT));
  }
  const all = concepts.map((concept) => anyOf(concept.forms));
  const idfSum = concepts.reduce((sum, concept) => sum + concept.idf, 0);
  const withAll = within(match, all.join(" AND "));
  best.add(readPostings(db, withAll, match, COMMON_ROWS_MAX), idfSum);
  if (best.size >= ROWS_MAX || all.length === 1) return;
  best.add(readPostings(db, within(match, `(${all.join(" OR ")})`), match, COMMON_ROWS_MAX), 0);
}

function readPostings(db: Database, expression: string, match: Match, limit: number): number[] {
  if (match.dates === null) {
    const plain = db.query<{ rowid: number }, [string, number]>(
      "select rowid from terms where terms match ? limit ?",
    );
    return plain.values(expression, limit).map((row) => row[0] as number);
  }
  const dated = db.query<{ row: number }, [string, number, number, number]>(
    `select a.row from terms cross join attributes a on a.row = terms.rowid
     where terms match ? and a.date between ? and ? limit ?`,
  );
  const { from, to } = match.dates;
  return dated.values(expression, from, to, limit).map((row) => row[0] as number);
}

function anyConcept(plan: Plan, match: Match): string {
  const any = plan.kept.map((concept) => anyOf(concept.forms)).join(" OR ");
  return within(match, any === "" || match.hasWords ? null : `(${any})`);
}

function countMatches(db: Database, plan: Plan, match: Match): number {
  return readPostings(db, anyConcept(plan, match), match, TOTAL_MAX + 1).length;
}

function byDate(db: Database, plan: Plan, match: Match): Found {
  const newest = db.query<{ row: number }, [string, number, number, number]>(
    `select a.row from terms cross join attributes a on a.row = terms.rowid
     where terms match ? and a.date between ? and ? order by a.date desc, a.row limit ?`,
  );
  const { from, to } = match.dates ?? {
    from: Number.MIN_SAFE_INTEGER,
    to: Number.MAX_SAFE_INTEGER,
  };
  const rows = newest.values(anyConcept(plan, match), from, to, VERIFIED_MAX);
  const total = rows.length < VERIFIED_MAX ? rows.length : countMatches(db, plan, match);
  return { rows: rows.map((row) => row[0] as number), total, isCapped: total > TOTAL_MAX };
}

/** Keeps the rows whose words stand as the query says; beyond the bound the total is a lower one. */
function verified(db: Database, found: Found, verifier: Verifier): Found {
  const statement = db.query<{ forward: Uint8Array }, [number]>(
    "select forward from pages where row = ?",
  );
  const rows = found.rows.filter((row) => {
    const page = statement.get(row);
    return page !== null && verifier.isMatch(page.forward);
  });
  return { rows, total: rows.length, isCapped: found.total > found.rows.length };
}
