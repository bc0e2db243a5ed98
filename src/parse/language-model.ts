/**
 * The language model of the package eld (its smallest, 60 languages), read from the package's own
 * file into flat arrays: 2 MB a thread and 15 µs a text, where its objects take 35 MB and 100 µs.
 * An n-gram is up to four bytes of a word, with marks for being its start or its end.
 */
export interface LanguageModel {
  /** ISO 639-1 code by language number. */
  readonly codes: readonly string[];
  /** Open addressing, a power of two: the bytes of an n-gram, then its marks and its offset. */
  readonly table: Int32Array;
  /** At an offset: number of languages, then pairs of language number and score. */
  readonly scores: Uint8Array;
}

export const STARTS = 1;
export const ENDS = 2;
/** Set on every n-gram, so that a free slot is 0. */
const TAKEN = 4;
const MARKS = STARTS | ENDS | TAKEN;
const OFFSET_SHIFT = 3;
const SLOTS = 1 << 17;

/** Place of an n-gram in the table; where it would stand when the model does not have it. */
export function placeOf(table: Int32Array, gram: number, mark: number): number {
  let slot = (Math.imul(gram ^ (mark << 29), 0x9e3779b1) >>> 15) & (SLOTS - 1);
  for (;;) {
    const place = slot * 2;
    const entry = table[place + 1]!;
    if (entry === 0) return place;
    if (table[place] === gram && (entry & MARKS) === (mark | TAKEN)) return place;
    slot = (slot + 1) & (SLOTS - 1);
  }
}

/** Where the scores of the n-gram at a place begin; -1 when there is none. */
export function offsetAt(table: Int32Array, place: number): number {
  const entry = table[place + 1]!;
  return entry === 0 ? -1 : entry >>> OFFSET_SHIFT;
}

let loading: Promise<LanguageModel> | null = null;

/** Read once a thread, when the first text needs it. */
export function loadLanguageModel(): Promise<LanguageModel> {
  loading ??= read();
  return loading;
}

async function read(): Promise<LanguageModel> {
  const entry = import.meta.resolve("eld/extrasmall");
  const source = await Bun.file(new URL("../ngrams/extrasmall.js", entry)).text();
  const { dictionary } = (await import(new URL("../dictionary.js", entry).href)) as {
    dictionary: readonly string[];
  };
  const model = modelOf(source, byteByLetter(dictionary));
  if (model.codes.length !== 60) throw new Error("eld: not the language model we know");
  return model;
}

/** eld writes each byte as one printable letter. */
function byteByLetter(dictionary: readonly string[]): Map<string, number> {
  const bytes = new Map<string, number>();
  for (let byte = 0; byte < dictionary.length; byte++) {
    const letter = dictionary[byte] as string;
    if (letter !== " ") bytes.set(letter, byte);
  }
  return bytes;
}

const GRAM =
  /(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s:{},'"]+)):\{(\d+:\d+(?:,\d+:\d+)*)\}/g;

function modelOf(source: string, bytes: Map<string, number>): LanguageModel {
  const codes = [...source.matchAll(/\b\d+:'([a-z]{2})'/g)].map((match) => match[1] as string);
  const scores: number[] = [];
  const table = new Int32Array(SLOTS * 2);
  GRAM.lastIndex = source.indexOf("ngrams:{") + "ngrams:{".length;
  for (let found = GRAM.exec(source); found !== null; found = GRAM.exec(source)) {
    const written = found[1] ?? found[2] ?? found[3] ?? "";
    add(table, written.replace(/\\(.)/g, "$1"), bytes, scores.length);
    const pairs = (found[4] as string).split(/[:,]/);
    scores.push(pairs.length / 2);
    for (const number of pairs) scores.push(Number(number));
  }
  return { codes, table, scores: Uint8Array.from(scores) };
}

function add(table: Int32Array, written: string, bytes: Map<string, number>, at: number): void {
  const mark = (written.startsWith(" ") ? STARTS : 0) | (written.endsWith(" ") ? ENDS : 0);
  let gram = 0;
  for (const letter of written.trim()) gram = (gram << 8) | (bytes.get(letter) ?? 0);
  const place = placeOf(table, gram, mark);
  table[place] = gram;
  table[place + 1] = (at << OFFSET_SHIFT) | mark | TAKEN;
}
