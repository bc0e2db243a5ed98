import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Candidate } from "../../src/search/document.ts";
import { parseQuery } from "../../src/search/query.ts";
import { createScorer } from "../../src/search/score.ts";
import { Synonyms } from "../../src/search/synonyms.ts";
import { widened } from "../../src/search/widen.ts";
import { analysisOf, documentOf, type Given } from "./documents.ts";

const SYNONYMS = new Synonyms({
  groups: [{ lang: "en", members: ["tram", "streetcar", "light railway"] }],
  pairs: [{ langs: ["en", "fr"], members: ["tram", "tramway"] }],
  homographs: [],
});
const LENGTHS = { title: 3, headings: 5, body: 10, anchors: 0, host: 2, path: 2 };

function candidateOf(given: Omit<Given, "id">): Candidate {
  const document = documentOf({ id: 1, ...given });
  const { forward, words } = analysisOf(document);
  const unknown = { authority: null, regionHost: null, locations: null, regionScore: null };
  return { ...document, ...unknown, publishedAt: null, crawledAt: 0, words, forward };
}

function scoreOf(query: string, given: Omit<Given, "id">, df: Record<string, number> = {}) {
  const known = new Map(Object.entries({ tram: 10, streetcar: 10, lisbon: 20, ...df }));
  const corpus = { df: known, documents: 1_000, averageLengths: LENGTHS };
  const scorer = createScorer(widened(parseQuery(query), SYNONYMS, undefined), corpus);
  return scorer.score(candidateOf(given));
}
const numberOf = (...asked: Parameters<typeof scoreOf>) => scoreOf(...asked)?.score ?? 0;

test("of equal documents that with the word itself comes first, however common the words are", () => {
  const df = fc.integer({ min: 0, max: 1_000 });
  const words = fc.array(fc.constantFrom("WORD", "WORD", "lisbon", "other", "hill"), {
    minLength: 1,
    maxLength: 12,
  });
  const query = fc.constantFrom("tram", "tram lisbon", "lisbon hill tram");
  fc.assert(
    fc.property(query, words, words, df, df, (asked, title, text, own, other) => {
      fc.pre([...title, ...text].includes("WORD"));
      const withWord = (word: string) => ({
        title: title.join(" ").replaceAll("WORD", word),
        text: text.join(" ").replaceAll("WORD", word),
      });
      const common = { tram: own, streetcar: other };
      const [better, worse] = ["tram", "streetcar"].map((word) =>
        numberOf(asked, withWord(word), common),
      );
      expect(worse!).toBeLessThan(better!);
      const { title: same, text: body } = withWord("streetcar");
      const beside = (word: string) =>
        numberOf(asked, { title: same, text: `${body} ${word}` }, common);
      expect(beside("tram")).toBeGreaterThanOrEqual(beside("another"));
    }),
    { numRuns: 300 },
  );
});

test("a common synonym does not make the word common, nor tells more than a common one does", () => {
  const page = { text: "a tram here" };
  expect(numberOf("tram", page, { streetcar: 900 })).toBe(numberOf("tram", page));
  const other = { text: "a streetcar here" };
  expect(numberOf("tram", other, { streetcar: 900 })).toBeLessThan(numberOf("tram", other) / 5);
  expect(numberOf("tram", other, { streetcar: 1 })).toBe(numberOf("tram", other));
});

test("the breakdown says what was met as a synonym only, with the least weight", () => {
  const met = (query: string, given: Omit<Given, "id">) => scoreOf(query, given)?.breakdown;
  expect(met("tram", { text: "a streetcar" })).toMatchObject({ synonym: 0.5 });
  expect(met("tram", { text: "un tramway", lang: "fr" })).toMatchObject({ synonym: 0.3 });
  expect(met("tram", { text: "a tram, a streetcar" })).not.toHaveProperty("synonym");
  expect(met("tram lisbon", { text: "lisbon" })).not.toHaveProperty("synonym");
});

test.each([
  [{ text: "a streetcar" }, true, "in its language"],
  [{ text: "streetcars" }, true, "in another form"],
  [{ text: "un streetcar", lang: "fr" }, false, "not in another language"],
  [{ text: "un streetcar", lang: null }, false, "nor in one that is not known"],
  [{ text: "a light railway" }, true, "an expression"],
  [{ text: "a railway, light as air" }, false, "its words in their order"],
  [{ text: "a light and fast railway" }, false, "side by side"],
] as [Omit<Given, "id">, boolean, string][])("tram finds %j: %p: %s", (given, expected) => {
  expect(numberOf("tram", given) > 0).toBe(expected);
});
