import { HASH_START, hashUnit, hashUnits, mixed } from "./hash.ts";
import { UnitScratch } from "./units.ts";

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
  readonly text: string;
  /** The text once more, and a 0 behind it: reading numbers is twice as fast as reading text. */
  readonly units: Uint16Array;
  start = 0;
  end = 0;
  /** Of the word as it stands: see hashUnits; signed. */
  hash = 0;
  /** True when the word is a piece of a text without spaces. */
  isGram = false;
  private at = 0;
  private runEnd = 0;
  private gramSize = 0;
  private readonly length: number;

  constructor(text: string, units: Uint16Array = unitsOf(text)) {
    this.text = text;
    this.units = units;
    this.length = text.length;
  }

  next(): boolean {
    if (this.gramSize > 0 && this.nextGram()) return true;
    const { units, length } = this;
    let { at } = this;
    while (at < length) {
      if (kinds[units[at]!] === OTHER) {
        at++;
        continue;
      }
      const kind = kindAt(units, at);
      if (kind === LETTER) return this.word(at);
      if (kind >= PAIRED) return this.run(at, kind);
      at += widthAt(units, at);
    }
    this.at = length;
    return false;
  }

  private word(from: number): boolean {
    const { units } = this;
    let hash = HASH_START;
    let at = from;
    for (;;) {
      const unit = units[at]!;
      const kind = kinds[unit]!;
      if (kind === OTHER) break;
      if (kind !== LETTER) {
        const width = this.joins(at);
        if (width === 0) break;
        if (width === 2) hash = hashUnit(hash, units[at++]!);
      }
      hash = hashUnit(hash, units[at++]!);
    }
    this.isGram = false;
    this.at = at;
    this.start = from;
    this.end = at;
    this.hash = mixed(hash);
    if (at - from > WORD_UNITS_MAX) this.cut();
    return true;
  }

  /** Units of what goes on with a word though it is no plain letter; 0: the word ends. */
  private joins(at: number): number {
    const kind = kindAt(this.units, at);
    // An apostrophe joins only what stands on both its sides: l'eau, don't.
    const isInside = kind === APOSTROPHE && kindAt(this.units, at + 1) === LETTER;
    return kind === LETTER || isInside ? widthAt(this.units, at) : 0;
  }

  private cut(): void {
    this.end = wholeCharacter(this.text, this.start + WORD_UNITS_MAX);
    this.hash = hashUnits(this.text, this.start, this.end) | 0;
  }

  private run(from: number, kind: number): boolean {
    const { units } = this;
    let at = from;
    while (kindAt(units, at) === kind) at += widthAt(units, at);
    this.isGram = true;
    this.runEnd = at;
    this.gramSize = kind === PAIRED ? 2 : 3;
    this.setGram(from);
    this.at = at;
    return true;
  }

  private nextGram(): boolean {
    if (this.end >= this.runEnd) {
      this.gramSize = 0;
      return false;
    }
    this.setGram(this.start + widthAt(this.units, this.start));
    return true;
  }

  private setGram(from: number): void {
    let at = from;
    for (let size = 0; size < this.gramSize && at < this.runEnd; size++) {
      at += widthAt(this.units, at);
    }
    this.start = from;
    this.end = at;
    this.hash = hashUnits(this.text, from, at) | 0;
  }
}

/** Units of a text, and a 0 behind them. */
function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length + 1);
  Buffer.from(units.buffer).write(text, "utf16le");
  return units;
}

const scratch = new UnitScratch();

/** A cursor whose units lie where those of the next one will: for one text after the other. */
export const passingWords = (text: string): Words => new Words(text, scratch.of(text));

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

/**
 * Kind of every code point, filled as texts need it: asking for all at once costs 200 ms. Those of
 * half a pair stay unknown, so that a unit with a known kind is a character.
 */
const kinds = new Uint8Array(0x110000);

function kindAt(units: Uint16Array, at: number): number {
  const code = codeAt(units, at);
  const kind = kinds[code]!;
  return kind === UNKNOWN ? learn(code) : kind;
}

/** Half a pair is its own code, as with codePointAt. */
function codeAt(units: Uint16Array, at: number): number {
  const unit = units[at]!;
  if (unit < 0xd800 || unit > 0xdbff) return unit;
  const next = units[at + 1]!;
  const isPair = next >= 0xdc00 && next <= 0xdfff;
  return isPair ? 0x10000 + ((unit - 0xd800) << 10) + next - 0xdc00 : unit;
}

const widthAt = (units: Uint16Array, at: number): number => (codeAt(units, at) > 0xffff ? 2 : 1);

function learn(code: number): number {
  const kind = kindOf(code);
  if (code < 0xd800 || code > 0xdfff) kinds[code] = kind;
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
