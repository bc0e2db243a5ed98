import { HASH_START, hashUnit } from "../hash.ts";
import { UnitScratch } from "../units.ts";
import { endOfName, FOLDED, foldedAt, isUpper, MARK } from "./letters.ts";
import { type Name, placeOf, type RegionLexicon } from "./lexicon.ts";

export const IN_TITLE = 2;
export const IN_HEADING = 1;

/** One thing that a page says, however often. */
export interface Hit {
  readonly name: Pick<Name, "written" | "kind" | "weight" | "category"> | Numbered;
  count: number;
  /** IN_TITLE, IN_HEADING. */
  where: number;
}

interface Numbered {
  readonly written: string;
  readonly kind: "postal" | "phone";
  readonly weight: number;
}

/** A page may list every shop of a country. */
const NUMBERS_MAX = 50;
const PHONE_DIGITS_MIN = 9;
const PHONE_DIGITS_MAX = 13;
const PHONE_GAP_MAX = 3;

const scratch = new UnitScratch();

/** Gathers what texts say of a region: each unit is read once, a few once more. */
export class Evidence {
  words = 0;
  readonly names = new Map<Name, Hit>();
  readonly numbers = new Map<string, Hit>();
  private readonly lexicon: RegionLexicon;
  private mixedHash = 0;

  constructor(lexicon: RegionLexicon) {
    this.lexicon = lexicon;
  }

  /** A block of text; `where`: IN_TITLE, IN_HEADING, or 0. */
  read(text: string, where: number): void {
    const { table } = this.lexicon;
    const units = scratch.of(text);
    const { length } = text;
    let words = 0;
    for (let at = 0; at < length; ) {
      let unit = FOLDED[units[at]!]!;
      if (unit <= MARK) {
        at++;
        continue;
      }
      const start = at;
      let hash = HASH_START;
      let signs = 0;
      // A 0 stands behind the last one.
      for (; unit !== 0; unit = FOLDED[units[++at]!]!) {
        hash = hashUnit(hash, unit);
        signs |= unit - LETTERS;
      }
      words++;
      if (signs < 0) {
        at = this.mixed(text, start, at);
        hash = this.mixedHash;
      }
      const list = table[placeOf(table, hash) + 1]!;
      if (list > 0) at = this.name(text, start, at, list - 1, where);
    }
    this.words += words;
  }

  /** A word with digits or marks: gives where to read on, and leaves its hash without marks. */
  private mixed(text: string, start: number, end: number): number {
    let hash = HASH_START;
    let digits = 0;
    for (let at = start; at < end; at++) {
      const unit = foldedAt(text, at);
      if (unit === MARK) continue;
      if (unit <= NINE) digits++;
      hash = hashUnit(hash, unit);
    }
    this.mixedHash = hash;
    return digits > 0 ? this.number(text, start, end, digits === end - start) : end;
  }

  /** Gives where to read on: behind a name that was found. */
  private name(text: string, start: number, end: number, list: number, where: number): number {
    let found = end;
    let isPlaced = false;
    for (const name of this.lexicon.names[list]!) {
      if (isPlaced && name.kind !== "category") continue;
      const stop = endOfName(text, start, name.folded);
      if (stop < 0 || !isWrittenSo(text, start, stop, name)) continue;
      const hit = this.names.get(name);
      if (hit) {
        hit.count++;
        hit.where |= where;
      } else {
        this.names.set(name, { name, count: 1, where });
      }
      if (name.kind === "category") continue;
      isPlaced = true;
      found = Math.max(found, stop);
    }
    return found;
  }

  private number(text: string, start: number, end: number, isDigits: boolean): number {
    const postal = this.postal(text, start, end, isDigits);
    if (postal > end || !isDigits) return postal;
    return Math.max(postal, this.phone(text, start, end));
  }

  /** A code of digits alone is one before a name: `29200 Brest`. */
  private postal(text: string, start: number, end: number, isDigits: boolean): number {
    const { firsts, all } = this.lexicon.postal;
    if (firsts[text.charCodeAt(start)] !== 1) return end;
    if (isDigits && !isCapitalAt(text, end + 1)) return end;
    for (const stop of [end, endOfWord(text, end + 1)]) {
      const code = text.slice(start, stop);
      const pattern = all.find(({ whole }) => whole.test(code));
      if (pattern === undefined) continue;
      this.note(code, "postal", pattern.weight);
      return stop;
    }
    return end;
  }

  private phone(text: string, start: number, end: number): number {
    const { firsts, all } = this.lexicon.phones;
    if (firsts[text.charCodeAt(start)] !== 1) return end;
    let digits = text.slice(start, end);
    for (let at = end; digits.length <= PHONE_DIGITS_MAX; ) {
      if (digits.length >= PHONE_DIGITS_MIN) {
        const number = digits;
        const pattern = all.find(({ whole }) => whole.test(number));
        if (pattern) {
          this.note(text.slice(start, at), "phone", pattern.weight);
          return at;
        }
      }
      let next = at;
      while (next - at <= PHONE_GAP_MAX && PHONE_GAP.includes(text[next] ?? "x")) next++;
      const stop = endOfDigits(text, next);
      if (next === at || stop === next) return end;
      digits += text.slice(next, stop);
      at = stop;
    }
    return end;
  }

  private note(written: string, kind: Numbered["kind"], weight: number): void {
    const hit = this.numbers.get(written);
    if (hit) hit.count++;
    else if (this.numbers.size < NUMBERS_MAX) {
      this.numbers.set(written, { name: { written, kind, weight }, count: 1, where: 0 });
    }
  }
}

function isWrittenSo(text: string, start: number, stop: number, name: Name): boolean {
  if (name.case === "any") return true;
  if (!isCapitalAt(text, start)) return false;
  if (name.case === "capital") return true;
  for (let at = start; at < stop; at++) {
    const unit = text.charCodeAt(at);
    const folded = foldedAt(text, at);
    if (folded > NINE && !isUpper(unit, folded)) return false;
  }
  return true;
}

function isCapitalAt(text: string, at: number): boolean {
  return at < text.length && isUpper(text.charCodeAt(at), foldedAt(text, at));
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && foldedAt(text, at) !== 0) at++;
  return at;
}

/** End of a group of digits that is a whole word. */
function endOfDigits(text: string, from: number): number {
  const stop = endOfWord(text, from);
  for (let at = from; at < stop; at++) {
    const unit = text.charCodeAt(at);
    if (unit < ZERO || unit > NINE) return from;
  }
  return stop;
}

const ZERO = 0x30;
const NINE = 0x39;
/** Folded letters stand from here on. */
const LETTERS = 0x3a;
const PHONE_GAP = " .-()/\u00a0\u2010\u2011\u2013\u202f";
