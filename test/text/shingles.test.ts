import { describe, expect, test } from "bun:test";
import { ShingleWindow } from "../../src/text/shingle-window.ts";
import { isSameText, levelOf, SAMPLE_MAX, shinglesOf } from "../../src/text/shingles.ts";
import { ownWords } from "../support/mazes.ts";
import { sampleOf } from "../support/samples.ts";

const shingles = (...given: Parameters<typeof sampleOf>) => [...shinglesOf(sampleOf(...given))];

describe("a sample of a text", () => {
  test("folds digits, and the words of its own query", () => {
    expect(shingles("Events of 3 May 2026")).toEqual(shingles("Events of 28 May 1999"));
    expect(shingles("Choice of red wool today", "/?c=red&f=wool")).toEqual(
      shingles("Choice of blue silk today", "/?c=blue&f=silk"),
    );
    expect(shingles("Choice of red wool today")).not.toEqual(shingles("Choice of blue silk today"));
  });

  test("does not go on from one paragraph to the next", () => {
    const items = [ownWords(1, 6), ownWords(2, 6), ownWords(3, 6)];
    const all = new Set(shingles(items.join("\n")));
    expect(all.size).toBe(12);
    expect(shingles(items.toReversed().join("\n")).every((each) => all.has(each))).toBe(true);
  });

  test("is bounded, and of a long text of the same shingles as of its parts", () => {
    const [first, second] = [ownWords(4, 400), ownWords(5, 400)];
    const whole = sampleOf(`${first}\n${second}`);
    expect(shinglesOf(whole).length).toBeLessThanOrEqual(SAMPLE_MAX);
    expect(levelOf(whole)).toBeGreaterThan(levelOf(sampleOf(first)));
    const parts = new Set([...shingles(first), ...shingles(second)]);
    expect([...shinglesOf(whole)].every((each) => parts.has(each))).toBe(true);
  });

  test("is the same text in whatever order, another one by a word or a digit", () => {
    const text = sampleOf("First a line.\nThen 2 more.");
    expect(isSameText(text, sampleOf("Then 2 more.\nFirst a line."))).toBe(true);
    expect(isSameText(text, sampleOf("First a line.\nThen 3 more."))).toBe(false);
    expect(isSameText(text, sampleOf("First a line."))).toBe(false);
  });

  test("of nothing is empty", () => {
    expect(shingles("")).toEqual([]);
    expect(shingles("", "/", "Word")).toHaveLength(1);
  });
});

describe("the window of the last pages", () => {
  test("knows what it has seen, and nothing else", () => {
    const window = new ShingleWindow();
    const sample = sampleOf(ownWords(7, 40));
    expect(window.compare(sample).unseen).toBe(shinglesOf(sample).length);
    window.add(sample);
    expect(window.compare(sample).unseen).toBe(0);
    const other = window.compare(sampleOf(ownWords(8, 40)));
    expect(other.unseen).toBe(other.looked);
  });

  test("remembers 60 items of 30 words, whichever of them a page shows", () => {
    const window = new ShingleWindow();
    const item = (n: number) => ownWords(100 + n, 30);
    for (let n = 0; n < 60; n++) window.add(sampleOf(item(n)));
    let [looked, unseen] = [0, 0];
    for (let n = 0; n < 60; n++) {
      const compared = window.compare(sampleOf([n, (n * 7) % 60].map(item).join("\n")));
      looked += compared.looked;
      unseen += compared.unseen;
    }
    expect(looked).toBeGreaterThan(120);
    expect(unseen / looked).toBeLessThan(0.1);
  });

  test("survives the store, in 2 KB at most; damaged bytes are an empty one", () => {
    const window = new ShingleWindow();
    const samples = Array.from({ length: 50 }, (_, n) => sampleOf(ownWords(200 + n, 60)));
    for (const sample of samples) window.add(sample);
    const bytes = window.bytes();
    expect(bytes.length).toBeLessThanOrEqual(2_048);
    const again = ShingleWindow.of(bytes);
    for (const sample of samples) expect(again.compare(sample)).toEqual(window.compare(sample));
    for (const odd of [[], [1, 2, 3], [255, 255, 255, 255, 9, 9, 9, 9, 1]]) {
      const read = ShingleWindow.of(new Uint8Array(odd));
      expect(read.compare(samples[0]!).looked).toBeGreaterThanOrEqual(0);
    }
  });
});
