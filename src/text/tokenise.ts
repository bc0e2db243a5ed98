/**
 * Longest word in UTF-16 units; the rest of a longer one is left out, in documents and queries
 * alike.
 */
export const WORD_UNITS_MAX = 64;

/**
 * Walks the words of a text without copying it: after `next()` returned true, the word stands at
 * [start, end). Scripts without spaces come as overlapping n-grams: two characters for Han, kana
 * and hangul, three for Thai, Lao, Khmer and Burmese; a shorter run is one word.
 */
export class Words {
  start = 0;
  end = 0;
  /** True when the word is a piece of a text without spaces. */
  isGram = false;
  readonly #text: string;
  #at: number;
  #runEnd = 0;
  #gramSize = 0;

  constructor(text: string, from = 0) {
    this.#text = text;
    this.#at = from;
  }

  next(): boolean {
    if (this.#gramSize > 0 && this.#nextGram()) return true;
    const text = this.#text;
    for (let at = this.#at; at < text.length; ) {
      const kind = kindAt(text, at);
      if (kind === LETTER) return this.#word(at);
      if (kind === PAIRED || kind === TRIPLED) return this.#run(at, kind);
      at += widthAt(text, at);
    }
    this.#at = text.length;
    return false;
  }

  #word(from: number): boolean {
    const text = this.#text;
    let at = from;
    for (; at < text.length; at += widthAt(text, at)) {
      const kind = kindAt(text, at);
      if (kind === LETTER) continue;
      // An apostrophe joins only what stands on both its sides: l'eau, don't.
      if (kind !== APOSTROPHE || kindAt(text, at + 1) !== LETTER) break;
    }
    this.isGram = false;
    this.start = from;
    this.end = at - from <= WORD_UNITS_MAX ? at : wholeCharacter(text, from + WORD_UNITS_MAX);
    this.#at = at;
    return true;
  }

  #run(from: number, kind: number): boolean {
    const text = this.#text;
    let at = from;
    while (at < text.length && kindAt(text, at) === kind) at += widthAt(text, at);
    this.isGram = true;
    this.#runEnd = at;
    this.#gramSize = kind === PAIRED ? 2 : 3;
    this.start = from;
    this.end = this.#gramEnd(from);
    this.#at = at;
    return true;
  }

  #nextGram(): boolean {
    if (this.end >= this.#runEnd) {
      this.#gramSize = 0;
      return false;
    }
    this.start += widthAt(this.#text, this.start);
    this.end = this.#gramEnd(this.start);
    return true;
  }

  #gramEnd(from: number): number {
    let at = from;
    for (let size = 0; size < this.#gramSize && at < this.#runEnd; size++) {
      at += widthAt(this.#text, at);
    }
    return at;
  }
}

/** `at`, or one less where it would part a surrogate pair. */
export function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

const UNKNOWN = 0;
const OTHER = 1;
const LETTER = 2;
const APOSTROPHE = 3;
const PAIRED = 4;
const TRIPLED = 5;

/** Kind of every code point, filled as texts need it: asking for all at once costs 200 ms. */
const kinds = new Uint8Array(0x110000);

function kindAt(text: string, at: number): number {
  let code = text.charCodeAt(at);
  if (code >= 0xd800 && code <= 0xdfff) code = text.codePointAt(at)!;
  // Past the end the code is NaN, which no array has.
  const kind = kinds[code];
  if (kind === undefined) return OTHER;
  return kind === UNKNOWN ? learn(code) : kind;
}

function widthAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff && text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function learn(code: number): number {
  const kind = kindOf(code);
  kinds[code] = kind;
  return kind;
}

/** Joiners and the soft hyphen stand inside words; folding takes them out. */
const INNER = /\u00ad|\u200c|\u200d|\u2060/;
const WORDLIKE = /[\p{L}\p{N}\p{M}]/u;
const PAIRED_SCRIPT = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}]/u;
const TRIPLED_SCRIPT = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function kindOf(code: number): number {
  const char = String.fromCodePoint(code);
  if (char === "'" || char === "\u2019" || char === "\u02bc" || char === "\uff07")
    return APOSTROPHE;
  if (INNER.test(char)) return LETTER;
  if (!WORDLIKE.test(char)) return OTHER;
  // A combining mark may share scripts with Han; what it stands on decides.
  if (/\p{M}/u.test(char) && !TRIPLED_SCRIPT.test(char)) return LETTER;
  if (PAIRED_SCRIPT.test(char)) return PAIRED;
  return TRIPLED_SCRIPT.test(char) ? TRIPLED : LETTER;
}
