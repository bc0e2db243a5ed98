import type { Analysis, Field, FieldTexts } from "./analysis.ts";
import { Simhash } from "./fingerprint.ts";
import { BODY_COUNT_MAX, encodeForward, FIELDS, pairOf, SHORT } from "./forward-data.ts";
import { type Lexicon, lexiconOf, type Term } from "./lexicon.ts";
import { Words } from "./tokenise.ts";

/** Words read of a field; a longer text stays searchable by its beginning. */
const WORDS_MAX: Readonly<Record<Field, number>> = {
  title: 200,
  headings: 2_000,
  body: 50_000,
  anchors: 2_000,
  host: 20,
  path: 100,
};
const TERMS_MAX = 30_000;
const PAIRS_MAX = 50_000;
/** A body term is salient from 3 occurrences on, in a long body from one in 250 words. */
const SALIENT_COUNT_MIN = 3;
const SALIENT_WORDS_PER_COUNT = 250;

/** Reads a document once: its terms for the index, and the forward data that score() reads. */
export const analyse = (fields: FieldTexts, lang: string | null): Analysis =>
  digest(fields, lang).analysis;

export interface Digest {
  analysis: Analysis;
  /** Of the body: see fingerprint.ts. */
  simhash: string | null;
}

/** The same with the simhash of the body, whose words are walked for both at once. */
export function digest(fields: FieldTexts, lang: string | null): Digest {
  const tally = startTally(lang);
  const lengths = FIELDS.map((field) => count(tally, field, fields[field]));
  const words = lengths[FIELDS.indexOf("body")]!;
  const terms = sortedByHash(tally.terms);
  const salientFrom = Math.max(SALIENT_COUNT_MIN, Math.ceil(words / SALIENT_WORDS_PER_COUNT));
  const analysis = {
    lang,
    terms: terms.map((term) => term.text).join(" "),
    titleTerms: textOf(terms, (term) => term.inTitle),
    salientTerms: textOf(terms, (term) => term.isSalient || term.body >= salientFrom),
    spellings: spellingsOf(terms),
    forward: encodeForward(terms, distinctPairs(tally.pairCount), lengths),
    words,
  };
  return { analysis, simhash: tally.simhash.value() };
}

/** Scratch, used again for each document: a thread analyses one text at a time. */
const pairs = new Uint32Array(PAIRS_MAX);
const keys = new Float64Array(TERMS_MAX);
let documents = 0;

interface Tally {
  lexicon: Lexicon;
  document: number;
  terms: Term[];
  pairCount: number;
  simhash: Simhash;
}

function startTally(lang: string | null): Tally {
  const [lexicon, simhash] = [lexiconOf(lang), new Simhash()];
  return { lexicon, document: ++documents, terms: [], pairCount: 0, simhash };
}

/** Counts the words of a field; returns how many there are. */
function count(tally: Tally, field: Field, text: string): number {
  const words = new Words(text);
  const wordsMax = WORDS_MAX[field];
  let length = 0;
  let before: Term | null = null;
  while (length < wordsMax && words.next()) {
    const word = tally.lexicon.word(words);
    const { surface, others } = word;
    if (surface === null) continue;
    length++;
    if (field === "body") tally.simhash.add(surface.hash);
    note(tally, surface, field);
    surface.isSurface = true;
    for (let at = 0; at < others.length; at++) note(tally, others[at]!, field, word.isGram);
    if (before !== null && tally.pairCount < PAIRS_MAX) {
      pairs[tally.pairCount++] = pairOf(before.hash, surface.hash);
    }
    before = surface;
  }
  return length;
}

function note(tally: Tally, term: Term, field: Field, isPiece = false): void {
  if (term.document !== tally.document) {
    if (tally.terms.length >= TERMS_MAX) return;
    term.document = tally.document;
    term.body = 0;
    term.short = 0;
    term.isSurface = false;
    term.isSalient = false;
    term.inTitle = false;
    tally.terms.push(term);
  }
  if (field === "body") {
    if (term.body < BODY_COUNT_MAX) term.body++;
    return;
  }
  const { shift, max } = SHORT[field];
  if (((term.short >> shift) & max) < max) term.short += 1 << shift;
  if (field === "title") term.inTitle = true;
  if (field !== "path" && !isPiece) term.isSalient = true;
}

/** Sorting numbers natively, hash before place, is four times faster than comparing objects. */
function sortedByHash(terms: readonly Term[]): Term[] {
  const sorting = keys.subarray(0, terms.length);
  for (let at = 0; at < terms.length; at++) sorting[at] = terms[at]!.hash * 0x8000 + at;
  sorting.sort();
  const sorted: Term[] = new Array(terms.length);
  for (let at = 0; at < terms.length; at++) sorted[at] = terms[sorting[at]! % 0x8000]!;
  return sorted;
}

function distinctPairs(pairCount: number): Uint32Array {
  const sorted = pairs.subarray(0, pairCount).sort();
  let kept = 0;
  for (let at = 0; at < pairCount; at++) {
    if (at === 0 || sorted[at] !== sorted[kept - 1]) sorted[kept++] = sorted[at]!;
  }
  return sorted.subarray(0, kept);
}

function textOf(terms: readonly Term[], isChosen: (term: Term) => boolean): string {
  let text = "";
  for (const term of terms) {
    if (isChosen(term)) text = text === "" ? term.text : `${text} ${term.text}`;
  }
  return text;
}

function spellingsOf(terms: readonly Term[]): string {
  let text = "";
  for (const term of terms) {
    if (term.spelling === null || !term.isSurface) continue;
    text += text === "" ? `${term.text} ${term.spelling}` : ` ${term.text} ${term.spelling}`;
  }
  return text;
}
