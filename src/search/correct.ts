import { fold, spell } from "../text/fold.ts";
import { stemmedLanguages } from "../text/stem.ts";
import { Words } from "../text/tokenise.ts";
import { editsBetween } from "./edits.ts";
import { isKnown } from "./known-word.ts";
import type { CandidateSet, CandidateSource, WordCount } from "./port.ts";
import type { Concept, ParsedQuery } from "./query.ts";
import { formsIn, type QueryWord, queryWords } from "./query-word.ts";
import { typedWords } from "./typed-words.ts";

/** Shorter words have too many neighbours to say which was meant; one with digits is a code. */
const LETTERS = /^[\p{L}\p{M}]{4,}$/u;
const SIMILAR_MAX = 3;
/** Each costs milliseconds; a query with more of such words is no query in our languages. */
const LOOKED_UP_MAX = 4;

/**
 * A word that hardly any document has, beside one an edit away that so many times as many have, was
 * probably that one. It may as well be a name: the other is offered, and changes no result.
 */
const RARE_MAX = 2;
const COMMONER_TIMES = 100;
const RARE_LETTERS_MIN = 5;
/** In a small collection every word is rare. */
const DOCUMENTS_MIN = 1_000;

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
  const asTyped = typedWords(query);
  const meant = new Map<string, string>();
  const concepts: Concept[] = [];
  let looked = 0;
  for (const concept of query.concepts) {
    const word = concept.words[0]!;
    const { surface } = word;
    const doubt =
      looked < LOOKED_UP_MAX && !asTyped.has(surface) ? doubtOf(concept, found) : "none";
    if (doubt !== "none") looked++;
    const similar = doubt === "none" ? [] : await index.similar(surface, SIMILAR_MAX);
    const commoner = doubt === "rare" ? commonerOf(word, similar, index.langs?.(), found) : null;
    if (commoner !== null) meant.set(surface, commoner);
    if (doubt !== "unknown" || similar.length === 0) {
      concepts.push(concept);
      continue;
    }
    meant.set(surface, similar[0]!.word);
    const completions = similar.map((own) => fold(own.word));
    concepts.push({ ...concept, completions, isMistyped: true });
  }
  if (meant.size === 0) return { query, didYouMean: null };
  const isSame = concepts.every((concept, at) => concept === query.concepts[at]);
  const didYouMean = rewritten(query.text, meant);
  return { query: isSame ? query : { ...query, concepts }, didYouMean };
}

function doubtOf(concept: Concept, found: CandidateSet): "none" | "rare" | "unknown" {
  if (!isPlain(concept)) return "none";
  const word = concept.words[0]!;
  if (!isKnown(word, found, 1)) return "unknown";
  if (found.documents < DOCUMENTS_MIN || word.surface.length < RARE_LETTERS_MIN) return "none";
  return dfOf(word, found) <= RARE_MAX && !isKnown(word, found, RARE_MAX + 1) ? "rare" : "none";
}

const dfOf = (word: QueryWord, { df }: CandidateSet): number =>
  Math.max(...formsIn(null, word).map((form) => df.get(form) ?? 0));

/** The likest that is far commoner, and no other form of the same word. */
function commonerOf(
  word: QueryWord,
  similar: readonly WordCount[],
  langs: ReadonlySet<string> | undefined,
  found: CandidateSet,
): string | null {
  const forms = new Set(formsIn(null, word));
  const stemmed = stemmedLanguages.filter((lang) => langs?.has(lang) ?? true);
  const least = COMMONER_TIMES * Math.max(1, dfOf(word, found));
  const commoner = similar.find(({ word: other, df }) => {
    const [own] = queryWords(other, 1, stemmed);
    if (own === undefined || df < least) return false;
    const isNear = editsBetween(word.surface, own.surface, 1) !== null;
    return isNear && !formsIn(null, own).some((form) => forms.has(form));
  });
  return commoner?.word ?? null;
}

function isPlain({ words, completions = [], alternatives = [] }: Concept): boolean {
  // A word with others of its meaning is spelled as it should be.
  const isAlone = words.length === 1 && completions.length + alternatives.length === 0;
  return isAlone && LETTERS.test(words[0]!.surface);
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
