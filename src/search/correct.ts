import { fold, spell } from "../text/fold.ts";
import { Words } from "../text/tokenise.ts";
import { isKnown } from "./known-word.ts";
import type { CandidateSet, CandidateSource } from "./port.ts";
import type { Concept, ParsedQuery } from "./query.ts";

/** Shorter words have too many neighbours to say which was meant; one with digits is a code. */
const LETTERS = /^[\p{L}\p{M}]{4,}$/u;
const SIMILAR_MAX = 3;
/** Each costs milliseconds; a query with more of such words is no query in our languages. */
const LOOKED_UP_MAX = 4;

export interface Corrected {
  query: ParsedQuery;
  /** The query as it was probably meant; null: its words are known. */
  didYouMean: string | null;
}

/**
 * Words that no document has are looked for as they may have been meant, by the likest words of the
 * vocabulary. What is quoted stays as typed.
 */
export async function correct(
  index: CandidateSource,
  query: ParsedQuery,
  found: CandidateSet,
): Promise<Corrected> {
  const asTyped = new Set(query.required.phrases.flat(2));
  for (const { surface } of query.required.inTitle) asTyped.add(surface);
  const meant = new Map<string, string>();
  const concepts: Concept[] = [];
  let looked = 0;
  for (const concept of query.concepts) {
    const { surface } = concept.words[0]!;
    const isMistyped =
      looked < LOOKED_UP_MAX && !asTyped.has(surface) && mayBeMistyped(concept, found);
    if (isMistyped) looked++;
    const similar = isMistyped ? await index.similar(surface, SIMILAR_MAX) : [];
    if (similar.length === 0) {
      concepts.push(concept);
      continue;
    }
    meant.set(surface, similar[0]!.word);
    const completions = similar.map((own) => fold(own.word));
    concepts.push({ ...concept, completions, isMistyped: true });
  }
  if (meant.size === 0) return { query, didYouMean: null };
  return { query: { ...query, concepts }, didYouMean: rewritten(query.text, meant) };
}

function mayBeMistyped(concept: Concept, found: CandidateSet): boolean {
  const { words, completions = [], alternatives = [] } = concept;
  const word = words[0]!;
  // A word with others of its meaning is spelled as it should be.
  const isPlain = words.length === 1 && completions.length + alternatives.length === 0;
  return isPlain && LETTERS.test(word.surface) && !isKnown(word, found, 1);
}

/** The query with other words in the place of some. */
function rewritten(text: string, meant: ReadonlyMap<string, string>): string {
  const words = new Words(text);
  let written = "";
  let at = 0;
  while (words.next()) {
    const word = meant.get(fold(spell(text.slice(words.start, words.end))));
    if (word === undefined) continue;
    written += text.slice(at, words.start) + word;
    at = words.end;
  }
  return written + text.slice(at);
}
