import { expect, test } from "bun:test";
import fc from "fast-check";
import { hashesOf } from "../../src/text/fingerprint.ts";
import { foldText } from "../../src/text/fold.ts";
import { withFewMarks } from "../../src/text/marks.ts";

const MARKS = "\u0301\u0316";

test("a letter keeps thirty marks", () => {
  expect(withFewMarks(`a${MARKS.repeat(100)}b`)).toBe(`a${MARKS.repeat(15)}b`);
  expect(withFewMarks(`${"\uff9e".repeat(200)}b`)).toBe(`${"\uff9e".repeat(30)}b`);
});

test("texts of people stay as they are", () => {
  const french = "Les élèves ";
  const hindi = "हिन्दी में लिखा हुआ पाठ ";
  for (const text of [french, hindi, "السَّلَامُ عَلَيْكُمْ ", "👩\u200d🚀 東京都 "]) {
    expect(withFewMarks(text.repeat(50))).toBe(text.repeat(50));
  }
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      expect(withFewMarks(text)).toBe(text);
    }),
  );
});

test("a megabyte of marks takes milliseconds", () => {
  const began = performance.now();
  for (const marks of [MARKS, "\uff9e\uff9f", "\u{1e8d0}", "a\u0345"]) {
    hashesOf(marks.repeat(250_000));
    foldText(marks.repeat(250_000));
  }
  expect(performance.now() - began).toBeLessThan(2_000);
});
