import type { Concept } from "../query.ts";
import { COMPLETION_WEIGHT } from "../stand-ins.ts";
import { alternativeForms, matchAlternatives } from "./alternatives.ts";
import { formsOf, type Langs } from "./match.ts";

/** Which words of a query are looked for, and which are too common to be read. */

/**
 * Postings read for one search, 3 ms: commoner words are left out if a rarer one is there. Of many
 * documents more, for a word that one in fifty has tells much there.
 */
const POSTINGS_PART = 1 / 30;
const POSTINGS_MIN = 8_000;
const POSTINGS_MAX = 30_000;

export const postingsMax = (documents: number): number =>
  Math.min(Math.max(Math.ceil(documents * POSTINGS_PART), POSTINGS_MIN), POSTINGS_MAX);

/** Postings read of words that stand for those of a query: they only rank below them. */
const ALTERNATIVES_PART = 1 / 3;

export const alternativesMax = (documents: number): number =>
  Math.ceil(postingsMax(documents) * ALTERNATIVES_PART);

export interface PlannedConcept {
  forms: readonly string[];
  cost: number;
  idf: number;
  /** The part of all documents that has it. */
  share: number;
  /** What else its word may stand as; null: nothing. */
  alternative: PlannedAlternative | null;
}

export interface PlannedAlternative {
  expression: string;
  cost: number;
  idf: number;
}

export interface Plan {
  /** Rarest first; at least one when there is any. */
  kept: PlannedConcept[];
  leftOut: PlannedConcept[];
  /** All concepts are common: a bounded number of rows is looked at. */
  isCommon: boolean;
  /** Of each concept that has some, the words that may stand for its own. */
  completions: readonly PlannedConcept[];
}

/** Every form that a plan asks the df of. */
export const plannedForms = (concepts: readonly Concept[], langs: Langs): string[] =>
  concepts.flatMap((concept) => [
    ...formsOf(concept, langs),
    ...(concept.completions ?? []),
    ...alternativeForms(concept.alternatives ?? []),
  ]);

/** What is known of the index. */
interface Known {
  df: ReadonlyMap<string, number>;
  documents: number;
  langs: Langs;
}

export function planOf(concepts: readonly Concept[], known: Known): Plan {
  const { df, documents } = known;
  const planned = concepts
    .map((concept) => plannedConcept(concept, known))
    .sort((one, other) => one.cost - other.cost);
  const completions = concepts.flatMap((own) => completionOf(own, df, documents) ?? []);
  let cost = 0;
  let kept = 0;
  for (const concept of planned) {
    cost += concept.cost;
    if (cost <= postingsMax(documents)) kept++;
  }
  if (kept === 0) {
    return { kept: planned, leftOut: [], completions, isCommon: planned.length > 0 };
  }
  return {
    kept: planned.slice(0, kept),
    leftOut: planned.slice(kept),
    completions,
    isCommon: false,
  };
}

function plannedConcept(concept: Concept, { df, documents, langs }: Known): PlannedConcept {
  const forms = formsOf(concept, langs);
  const cost = forms.reduce((sum, form) => sum + (df.get(form) ?? 0), 0);
  const other = matchAlternatives(concept.alternatives ?? [], df, langs);
  return {
    ...weighed(forms, cost, documents),
    alternative: other && {
      expression: other.expression,
      cost: other.cost,
      idf: other.weight * idfOf(other.cost, documents),
    },
  };
}

/** The first word in any case, as the likeliest; others while their postings are not too many. */
function completionOf(
  { completions = [] }: Concept,
  df: ReadonlyMap<string, number>,
  documents: number,
): PlannedConcept | null {
  const forms: string[] = [];
  let cost = 0;
  for (const word of completions) {
    const own = df.get(word) ?? 0;
    if (forms.length > 0 && cost + own > postingsMax(documents)) continue;
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
  alternative: null,
});

const idfOf = (df: number, documents: number): number =>
  Math.log(1 + Math.max(documents - df, 0.5) / (df + 0.5));
