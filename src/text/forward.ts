import type { Analysis, Field, FieldTexts } from "./analysis.ts";
import { simhashOf } from "./fingerprint.ts";
import {
  BODY_COUNT_MAX,
  encodeForward,
  FIELDS,
  pairOf,
  SHORT,
  SURFACE_BIT,
} from "./forward-data.ts";
import { COUNT_MASK, GRAM, type Lexicon, lexiconOf, OTHERS, SHAPE, SURFACE } from "./lexicon.ts";
import { ShingleSampler, type TextSample } from "./shingles.ts";
import { sortByKey, sortDistinct } from "./sort.ts";
import { COUNTS, DOCUMENT, HASH } from "./term-table.ts";
import { passingWords } from "./tokenise.ts";

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

/** Counts of a term: those of the forward data, and what it is in this document. */
const BODY_BITS = BODY_COUNT_MAX | SURFACE_BIT;
const SHORT_SHIFT = 8;
const SALIENT = 1 << 16;
const IN_TITLE = 1 << 17;

/** Reads a document once: its terms for the index, and the forward data that score() reads. */
export const analyse = (fields: FieldTexts, lang: string | null): Analysis =>
  digest(fields, lang).analysis;

export interface Digest {
  analysis: Analysis;
  /** Of the body: see fingerprint.ts. */
  simhash: string | null;
  /** Of title and body: see shingles.ts. */
  sample: TextSample;
}

/** The same with what is made of the words of the body, which are walked for all at once. */
export function digest(fields: FieldTexts, lang: string | null): Digest {
  const lexicon = lexiconOf(lang);
  document++;
  termCount = 0;
  pairCount = 0;
  let simhash: string | null = null;
  const lengths: number[] = [];
  sampler.begin(echoesOf(lexicon, fields.path));
  for (let at = 0; at < FIELDS.length; at++) {
    const field = FIELDS[at]!;
    const length = count(lexicon, field, fields[field]);
    lengths.push(length);
    notePairs(length);
    if (field === "body") simhash = simhashOf(hashes, length);
  }
  return { analysis: analysisOf(lexicon, lengths), simhash, sample: sampler.take() };
}

const sampler = new ShingleSampler();
const NO_ECHOES: ReadonlySet<number> = new Set();
/** Words of a query that are looked for in its page. */
const ECHOES_MAX = 50;

/** What a page repeats of its own query ("size: XL") makes it no other page. */
function echoesOf(lexicon: Lexicon, path: string): ReadonlySet<number> {
  const question = path.indexOf("?");
  if (question < 0) return NO_ECHOES;
  const echoes = new Set<number>();
  const cursor = passingWords(path.slice(question));
  while (echoes.size < ECHOES_MAX && cursor.next()) {
    const word = lexicon.word(cursor);
    const surface = word < 0 ? -1 : lexicon.words[word + SURFACE]!;
    if (surface >= 0) echoes.add(lexicon.table.terms[surface + HASH]!);
  }
  return echoes;
}

/** Scratch, used again for each document: a thread reads one at a time. */
const hashes = new Int32Array(WORDS_MAX.body);
const pairs = new Int32Array(PAIRS_MAX);
const terms = new Int32Array(TERMS_MAX);
const keys = new Int32Array(TERMS_MAX);
const counts = new Int32Array(TERMS_MAX);
const bodies = new Uint8Array(TERMS_MAX);
const shorts = new Uint8Array(TERMS_MAX);
const chosen = new Int32Array(TERMS_MAX);
let termCount = 0;
let pairCount = 0;
let document = 0;

/** Counts the words of a field and puts down their hashes; returns how many there are. */
function count(lexicon: Lexicon, field: Field, text: string): number {
  if (text === "") return 0;
  const cursor = passingWords(text);
  const wordsMax = WORDS_MAX[field];
  const isBody = field === "body";
  const isSampled = isBody || field === "title";
  let length = 0;
  let end = 0;
  while (length < wordsMax && cursor.next()) {
    const word = lexicon.word(cursor);
    if (word < 0) continue;
    const surface = lexicon.words[word + SURFACE]!;
    if (surface < 0) continue;
    const hash = lexicon.table.terms[surface + HASH]!;
    hashes[length++] = hash;
    if (isSampled) {
      if (hasBreak(cursor.units, end, cursor.start)) sampler.end();
      end = cursor.end;
      sampler.word(hash, isDigit(cursor.units[cursor.start]!) || isDigit(cursor.units[end - 1]!));
    }
    const shape = lexicon.words[word + SHAPE]!;
    if (isBody) noteBody(lexicon.table.terms, surface, SURFACE_BIT);
    else noteShort(lexicon.table.terms, surface, field, false, SURFACE_BIT);
    if ((shape & COUNT_MASK) !== 0) noteOthers(lexicon, word, field);
  }
  if (isSampled) sampler.end();
  return length;
}

function hasBreak(units: Uint16Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (units[at] === 10) return true;
  return false;
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

function noteOthers(lexicon: Lexicon, word: number, field: Field): void {
  const shape = lexicon.words[word + SHAPE]!;
  const from = lexicon.words[word + OTHERS]!;
  const end = from + (shape & COUNT_MASK);
  for (let at = from; at < end; at++) {
    const other = lexicon.others[at]!;
    if (field === "body") noteBody(lexicon.table.terms, other, 0);
    else noteShort(lexicon.table.terms, other, field, (shape & GRAM) !== 0, 0);
  }
}

function noteBody(table: Int32Array, term: number, surface: number): void {
  if (table[term + DOCUMENT] !== document && !begin(table, term)) return;
  const own = table[term + COUNTS]! | surface;
  table[term + COUNTS] = (own & BODY_COUNT_MAX) < BODY_COUNT_MAX ? own + 1 : own;
}

function noteShort(
  table: Int32Array,
  term: number,
  field: Exclude<Field, "body">,
  isPiece: boolean,
  surface: number,
): void {
  if (table[term + DOCUMENT] !== document && !begin(table, term)) return;
  let own = table[term + COUNTS]! | surface;
  const { shift, max } = SHORT[field];
  const place = shift + SHORT_SHIFT;
  if (((own >> place) & max) < max) own += 1 << place;
  if (field === "title") own |= IN_TITLE;
  if (field !== "path" && !isPiece) own |= SALIENT;
  table[term + COUNTS] = own;
}

/** Takes a term into the document, as far as there is room. */
function begin(table: Int32Array, term: number): boolean {
  if (termCount === TERMS_MAX) return false;
  table[term + DOCUMENT] = document;
  table[term + COUNTS] = 0;
  terms[termCount++] = term;
  return true;
}

/** The words of a field whose hashes were put down, each with the one that follows it. */
function notePairs(length: number): void {
  for (let at = 1; at < length && pairCount < PAIRS_MAX; at++) {
    pairs[pairCount++] = pairOf(hashes[at - 1]!, hashes[at]!);
  }
}

function analysisOf(lexicon: Lexicon, lengths: readonly number[]): Analysis {
  const { table, lang } = lexicon;
  const words = lengths[FIELDS.indexOf("body")]!;
  const salientFrom = Math.max(SALIENT_COUNT_MIN, Math.ceil(words / SALIENT_WORDS_PER_COUNT));
  for (let at = 0; at < termCount; at++) keys[at] = table.terms[terms[at]! + HASH]!;
  sortByKey(keys, terms, termCount);
  readCounts(table.terms);
  return {
    lang,
    terms: table.join(terms, termCount),
    titleTerms: table.join(chosen, choose(IN_TITLE, BODY_COUNT_MAX + 1)),
    salientTerms: table.join(chosen, choose(SALIENT, salientFrom)),
    spellings: table.joinSpellings(chosen, choose(SURFACE_BIT, BODY_COUNT_MAX + 1)),
    forward: encodeForward({
      termCount,
      hashes: keys,
      bodies,
      shorts,
      pairCount: sortDistinct(pairs, pairCount),
      pairs,
      lengths,
    }),
    words,
  };
}

function readCounts(table: Int32Array): void {
  for (let at = 0; at < termCount; at++) {
    const own = table[terms[at]! + COUNTS]!;
    counts[at] = own;
    bodies[at] = own & BODY_BITS;
    shorts[at] = own >> SHORT_SHIFT;
  }
}

/** Terms with any of some bits, or so often in the body; returns how many were chosen. */
function choose(bits: number, bodyMin: number): number {
  let found = 0;
  for (let at = 0; at < termCount; at++) {
    const own = counts[at]!;
    if ((own & bits) !== 0 || (own & BODY_COUNT_MAX) >= bodyMin) chosen[found++] = terms[at]!;
  }
  return found;
}
