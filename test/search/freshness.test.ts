import { expect, test } from "bun:test";
import { askedAt, freshness } from "../../src/search/freshness.ts";
import { parseQuery } from "../../src/search/query.ts";
import { createScorer } from "../../src/search/score.ts";
import { analysisOf, documentOf } from "./documents.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-03-01T12:00:00Z");

test.each([
  [0, 1, "just now"],
  [3, 1, "within the offset"],
  [33, 0.5, "a scale behind it"],
  [63, 0.0625, "two scales behind it"],
  [400, 0, "long ago"],
  [-0.5, 1, "in another time zone"],
])("what was published %d days ago is %d fresh: %s", (days, expected) => {
  expect(freshness(NOW, NOW - days * DAY_MS)).toBeCloseTo(expected, 4);
});

test("no date, a date ahead, and no question at a time are unknown", () => {
  expect(freshness(NOW, null)).toBeNull();
  expect(freshness(NOW, NOW + 3 * DAY_MS)).toBeNull();
  expect(freshness(undefined, NOW)).toBeNull();
});

test("pages of one list are asked for at one time", () => {
  expect(askedAt(NOW + 1)).toBe(askedAt(NOW + 3_599_999));
  expect(askedAt(NOW)).toBeLessThanOrEqual(NOW);
});

test("it adds at most three tenths, and nothing without a date", () => {
  const corpus = {
    df: new Map([["rare", 2]]),
    documents: 100,
    averageLengths: { title: 3, headings: 5, body: 10, anchors: 0, host: 2, path: 2 },
  };
  const scorer = createScorer({ ...parseQuery("rare"), askedAt: NOW }, corpus);
  const score = (publishedAt: number | null) => {
    const document = documentOf({ id: 1, text: "rare words" });
    const { forward, words } = analysisOf(document);
    const unknown = { authority: null, regionHost: null, locations: null };
    const page = { ...document, ...unknown, publishedAt, crawledAt: 0, words, forward };
    return scorer.score(page)!.score;
  };
  expect(score(NOW) / score(null)).toBeCloseTo(1.3, 10);
  expect(score(NOW - 33 * DAY_MS) / score(null)).toBeCloseTo(1.15, 3);
});
