import { expect, test } from "bun:test";
import fc from "fast-check";
import { hashUnits } from "../../src/text/hash.ts";
import { WORD_UNITS_MAX, Words } from "../../src/text/tokenise.ts";

function wordsOf(text: string): string[] {
  const words = new Words(text);
  const found: string[] = [];
  while (words.next()) found.push(text.slice(words.start, words.end));
  return found;
}

const CASES: [text: string, words: string[], why: string][] = [
  ["", [], "nothing"],
  [" \t\n—…!? ", [], "no word at all"],
  ["Hello, world", ["Hello", "world"], "punctuation parts"],
  ["well-known snake_case a.b", ["well", "known", "snake", "case", "a", "b"], "so do - _ ."],
  ["L'école d’été", ["L'école", "d’été"], "an apostrophe joins, both of them"],
  ["'quoted' dogs' 'n'", ["quoted", "dogs", "n"], "but not at an end"],
  ["zq12x34 3.14 x²", ["zq12x34", "3", "14", "x²"], "digits are letters here"],
  ["cafe\u0301s", ["cafe\u0301s"], "a combining accent belongs to its word"],
  ["co\u00adoperate", ["co\u00adoperate"], "so does a soft hyphen"],
  ["東京都", ["東京", "京都"], "Han comes in pairs"],
  ["猫", ["猫"], "a single character is a word"],
  ["カタカナー", ["カタ", "タカ", "カナ", "ナー"], "the long mark is kana"],
  ["한국어 말", ["한국", "국어", "말"], "hangul in pairs, by space"],
  ["ABC社は", ["ABC", "社は"], "scripts part"],
  ["ภาษาไทย", ["ภาษ", "าษา", "ษาไ", "าไท", "ไทย"], "Thai in threes"],
  ["𠀀𠀁𠀂", ["𠀀𠀁", "𠀁𠀂"], "characters beyond 16 bits stay whole"],
  ["a😀b", ["a", "b"], "an emoji parts"],
  ["a\u0000b", ["a", "b"], "so does NUL"],
  ["\ud800x\udc00", ["x"], "half a pair is nothing"],
  ["हिन्दी שלום", ["हिन्दी", "שלום"], "vowel signs are of the word"],
];

test.each(CASES)("%j → %j: %s", (text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});

test("a long word is cut, and what follows it is found", () => {
  const found = wordsOf(`${"x".repeat(1_000_000)} end`);
  expect(found.map((word) => word.length)).toEqual([WORD_UNITS_MAX, 3]);
});

test("grams are told from words", () => {
  const words = new Words("a 東京 b");
  const grams: boolean[] = [];
  while (words.next()) grams.push(words.isGram);
  expect(grams).toEqual([false, true, false]);
});

test("any text ends, with words in order inside it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const words = new Words(text);
      let before = -1;
      while (words.next()) {
        expect(words.start).toBeGreaterThan(before);
        expect(words.end).toBeGreaterThan(words.start);
        expect(words.end).toBeLessThanOrEqual(text.length);
        expect(words.hash >>> 0).toBe(hashUnits(text, words.start, words.end));
        before = words.start;
      }
    }),
  );
});
