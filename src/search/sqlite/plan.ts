import { COMPLETION_WEIGHT } from "../stand-ins.ts";
import type { PlannedAlternative } from "./alternatives.ts";

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
  share: number;
}

export interface Plan {
  /** Rarest first; at least one when there is any. */
  kept: PlannedConcept[];
  leftOut: PlannedConcept[];
  /** All concepts are common: a bounded number of rows is looked at. */
  isCommon: boolean;
  /** Of each concept that has some, the words that may stand for its own. */
  completions: readonly PlannedConcept[];
  alternatives: readonly PlannedAlternative[];
}

export function planOf(
  forms: readonly (readonly string[])[],
  df: ReadonlyMap<string, number>,
  documents: number,
): Omit<Plan, "completions" | "alternatives"> {
  const costOf = (own: readonly string[]) =>
    own.reduce((sum, form) => sum + (df.get(form) ?? 0), 0);
  const concepts = forms
    .map((own) => weighed(own, costOf(own), documents))
    .sort((one, other) => one.cost - other.cost);
  let cost = 0;
  let kept = 0;
  for (const concept of concepts) {
    cost += concept.cost;
    if (cost <= postingsMax(documents)) kept++;
  }
  if (kept === 0) return { kept: concepts, leftOut: [], isCommon: concepts.length > 0 };
  return { kept: concepts.slice(0, kept), leftOut: concepts.slice(kept), isCommon: false };
}

/** The first word in any case, as the likeliest; others while their postings are not too many. */
export function completionOf(
  words: readonly string[],
  df: ReadonlyMap<string, number>,
  documents: number,
): PlannedConcept | null {
  const forms: string[] = [];
  let cost = 0;
  for (const word of words) {
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
});

export const idfOf = (df: number, documents: number): number =>
  Math.log(1 + Math.max(documents - df, 0.5) / (df + 0.5));
