/** Capitals beyond Latin-1. */
const UPPER = new Set<number>();

/**
 * Letters for comparing names, one unit to one: lower case, accents off; 0 is no part of a word.
 * Cheaper than fold.ts, which makes a string of each word.
 */
export const FOLDED = tableOfUnits();

/** Marks of decomposed text: part of the word and of no letter. */
export const MARK = 1;

export function foldedAt(text: string, at: number): number {
  return FOLDED[text.charCodeAt(at)]!;
}

export const isUpper = (unit: number, folded: number): boolean =>
  unit !== folded && (unit < 0xdf ? unit <= 0x5a || unit >= 0xc0 : UPPER.has(unit));

function tableOfUnits(): Uint16Array {
  const table = new Uint16Array(0x10000);
  const word = /[\p{L}\p{N}]/u;
  for (let unit = 0x30; unit < 0xd800; unit++) {
    const char = String.fromCharCode(unit);
    if (!word.test(char)) continue;
    const hasCase = unit < 0x530 || (unit >= 0x1e00 && unit < 0x2000);
    const lower = hasCase ? char.toLowerCase() : char;
    table[unit] = hasCase ? lower.normalize("NFD").charCodeAt(0) : unit;
    if (unit > 0xdf && lower !== char) UPPER.add(unit);
  }
  for (const [char, base] of [
    ["œ", "o"],
    ["Œ", "o"],
    ["æ", "a"],
    ["Æ", "a"],
    ["ø", "o"],
    ["Ø", "o"],
    ["ł", "l"],
    ["Ł", "l"],
  ] as const) {
    table[char.charCodeAt(0)] = base.charCodeAt(0);
  }
  for (let unit = 0x300; unit < 0x370; unit++) table[unit] = MARK;
  return table;
}

/** A name as it is compared: folded words by single spaces. */
export function foldName(name: string): string {
  let folded = "";
  let gap = false;
  for (let at = 0; at < name.length; at++) {
    const unit = foldedAt(name, at);
    if (unit === MARK) continue;
    if (unit === 0) {
      gap = folded !== "";
      continue;
    }
    if (gap) folded += " ";
    gap = false;
    folded += String.fromCharCode(unit);
  }
  return folded;
}

/** Units between two words of a name: `Sept - Îles`. */
const GAP_MAX = 3;

/**
 * Where `name` (folded, its first unit at `at`) ends in `text`; -1: it does not stand there whole.
 */
export function endOfName(text: string, at: number, name: string): number {
  let place = at;
  for (let n = 0; n < name.length; n++) {
    const wanted = name.charCodeAt(n);
    if (wanted === SPACE) {
      const from = place;
      while (place < text.length && foldedAt(text, place) === 0) place++;
      if (place === from || place - from > GAP_MAX) return -1;
      continue;
    }
    while (place < text.length && foldedAt(text, place) === MARK) place++;
    if (place >= text.length || foldedAt(text, place) !== wanted) return -1;
    place++;
  }
  while (place < text.length && foldedAt(text, place) === MARK) place++;
  return place < text.length && foldedAt(text, place) !== 0 ? -1 : place;
}

const SPACE = 0x20;
