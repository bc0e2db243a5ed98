import { type ForwardData, pairOf } from "../text/forward-data.ts";
import { hashText } from "../text/hash.ts";
import type { Concept } from "./query.ts";
import { formsIn } from "./query-word.ts";
import type { Alternative } from "./synonyms.ts";

/*
 * What may stand for a word of the query, as score() looks for it. It counts less than the word,
 * and never makes that a commoner one: the IDF of a concept is that of its own word.
 */

/** A longer or other spelling weighs so much, and covers so much of the query. */
export const COMPLETION_WEIGHT = 0.4;

/** What words of the query were met as only, and what that weighs; of several the least. */
export type MetAs = Readonly<Partial<Record<StandIn["kind"], number>>>;

export interface StandIn {
  kind: "completion" | "synonym";
  /** Of the documents in which it counts; null: of any. */
  lang: string | null;
  weight: number;
  /** What it says of a document, by its weight. */
  idf: number;
  /** Of each of its words the forms. */
  words: readonly (readonly number[])[];
  /** They follow each other. */
  pairs: readonly number[];
}

export function standInsOf(
  { completions = [], alternatives = [] }: Concept,
  idf: number,
  idfOf: (form: string) => number,
): readonly StandIn[] {
  const synonyms = alternatives.map((own) => synonymOf(own, idf, idfOf));
  if (completions.length === 0) return synonyms;
  const shape = { kind: "completion", lang: null, pairs: [] } as const;
  const words = [completions.map(hashText)];
  return [
    { ...shape, words, weight: COMPLETION_WEIGHT, idf: idf * COMPLETION_WEIGHT },
    ...synonyms,
  ];
}

/** A common word that stands for a rare one tells no more than a common one does. */
function synonymOf(
  { lang, words, weight }: Alternative,
  idf: number,
  idfOf: (form: string) => number,
): StandIn {
  const forms = words.map((word) => formsIn(lang, word));
  // As common as the commonest form of its rarest word.
  const own = Math.max(...forms.map((each) => Math.min(...each.map(idfOf))));
  const surfaces = words.map(({ surface }) => hashText(surface));
  return {
    kind: "synonym",
    lang,
    weight,
    idf: Math.min(idf, own) * weight,
    // The words of an expression are taken as they stand there.
    words: words.length === 1 ? [forms[0]!.map(hashText)] : surfaces.map((hash) => [hash]),
    pairs: surfaces.slice(1).map((hash, at) => pairOf(surfaces[at]!, hash)),
  };
}

export interface Met extends Pick<StandIn, "kind" | "idf" | "weight"> {
  /** What it adds to the text score. */
  gain: number;
}

interface Asked {
  candidate: { lang: string | null };
  forward: ForwardData;
  /** Of the word itself; 0: the document does not have it. */
  gain: number;
  /** Of one word of these forms. */
  sumOf: (forms: readonly number[]) => number;
}

/**
 * The one that counts most, where it counts more than the word itself: both of them are no less
 * than one alone. A completion is asked only where the word is not there. Null: none does.
 */
export function bestStandIn(
  standIns: readonly StandIn[],
  { candidate, forward, gain, sumOf }: Asked,
): Met | null {
  let best: Met | null = null;
  for (const { kind, lang, weight, idf, words, pairs } of standIns) {
    if (lang !== null && lang !== candidate.lang) continue;
    if (kind === "completion" && gain > 0) continue;
    if (!pairs.every((pair) => forward.hasPair(pair))) continue;
    const own = idf * Math.min(...words.map(sumOf));
    if (own > (best?.gain ?? gain)) best = { kind, idf, weight, gain: own };
  }
  return best;
}
