/** Ranges of the small letters of alphabets that words are typed in. */
const ALPHABETS: readonly (readonly [first: number, last: number])[] = [
  [0x61, 0x7a],
  [0x430, 0x45f],
  [0x3b1, 0x3c9],
  [0x5d0, 0x5ea],
  [0x621, 0x64a],
  [0x561, 0x586],
  [0x10d0, 0x10f0],
];

/**
 * Every spelling one edit away: a letter too many, too few, another one, or two neighbours swapped.
 * Letters are those of the alphabets that the word has letters of.
 */
export function variantsOf(letters: readonly string[]): string[] {
  const alphabet = ALPHABETS.filter(([first, last]) =>
    letters.some((letter) => letter.codePointAt(0)! >= first && letter.codePointAt(0)! <= last),
  ).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
  );
  const variants: string[] = [];
  for (let at = 0; at <= letters.length; at++) {
    const before = letters.slice(0, at).join("");
    const after = letters.slice(at).join("");
    for (const letter of alphabet) variants.push(before + letter + after);
    if (at === letters.length) break;
    const rest = letters.slice(at + 1).join("");
    variants.push(before + rest);
    for (const letter of alphabet) variants.push(before + letter + rest);
    const next = letters[at + 1];
    if (next !== undefined) {
      variants.push(before + next + letters[at]! + letters.slice(at + 2).join(""));
    }
  }
  return variants;
}

/** Levenshtein with neighbours swapped as one edit; null as soon as it exceeds `max`. */
export function editsBetween(one: string, other: string, max: number): number | null {
  if (Math.abs(one.length - other.length) > max) return null;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      let cost = Math.min(last[at]! + 1, now[at - 1]! + 1, last[at - 1]! + (isSame ? 0 : 1));
      if (one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        cost = Math.min(cost, (before[at - 2] ?? Number.POSITIVE_INFINITY) + 1);
      }
      now.push(cost);
    }
    if (Math.min(...now) > max) return null;
    before = last;
    last = now;
  }
  const edits = last[other.length]!;
  return edits <= max ? edits : null;
}
