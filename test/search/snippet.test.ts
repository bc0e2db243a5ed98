import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseQuery } from "../../src/search/query.ts";
import { markTitle, matcherOf, type Segment, snippetOf } from "../../src/search/snippet.ts";

const shown = (segments: readonly Segment[]): string =>
  segments.map(({ text, match }) => (match ? `[${text}]` : text)).join("");
const snippet = (query: string, text: string, lang: string | null = "en") =>
  shown(snippetOf(text, matcherOf(parseQuery(query), lang)));
const title = (query: string, text: string, lang: string | null = "en") =>
  shown(markTitle(text, matcherOf(parseQuery(query), lang)));

const TITLES: [query: string, title: string, lang: string | null, shown: string, why: string][] = [
  ["tram", "Trams of Lisbon", "en", "[Trams] of Lisbon", "another form"],
  ["TRAMS", "tram", "en", "[tram]", "the other way round"],
  ["ecole", "À l’École", "fr", "À [l’École]", "accents and elision"],
  ["l'eau", "Eau", "fr", "[Eau]", "elision in the query"],
  ["dont", "I don't", "en", "I [don't]", "a contraction"],
  ["books", "Книги books", "ru", "Книги [books]", "another language inside"],
  ["книга", "Книги", "ru", "[Книги]", "Russian stems"],
  ["東京", "東京都の", "ja", "[東京]都の", "a gram"],
  ["東京都", "東京都の", "ja", "[東京都]の", "grams that overlap are one"],
  ["news", "New news", "en", "New [news]", "the stems of the document's language only"],
  ["rivers", "Rivers", null, "[Rivers]", "no language"],
  ["x", "no match", "en", "no match", "nothing"],
  ["a", "", "en", "", "an empty title"],
  ["b", "<b>b</b>\n\t& b", "en", "<[b]>[b]</[b]> & [b]", "markup is text; spaces are single"],
];

test.each(TITLES)("%j marks %j (%s) as %j: %s", (query, text, lang, expected) => {
  expect(title(query, text, lang)).toBe(expected);
});

const filler = (count: number): string => "Nothing of it stands in here. ".repeat(count);

test("the window is where most of the query stands together", () => {
  const text = `${filler(20)}A tram alone. ${filler(20)}Trams of Lisbon climb. ${filler(20)}`;
  const found = snippet("lisbon tram", text);
  expect(found).toContain("[Trams] of [Lisbon] climb.");
  expect(found.startsWith("… ")).toBe(true);
  expect(found.endsWith(" …")).toBe(true);
});

test("without a match it is the beginning", () => {
  const found = snippet("lisbon", filler(20));
  expect(found.startsWith("Nothing of it")).toBe(true);
  expect(found.endsWith(" …")).toBe(true);
});

test("a short text is shown whole", () => {
  expect(snippet("tram", "One tram.\n\nTwo trams.")).toBe("One [tram]. Two [trams].");
  expect(snippet("tram", "")).toBe("");
});

test("it begins at a sentence or a word, and ends at a word", () => {
  const found = snippetOf(
    `${filler(9)}Here the tram is, and ${"something else ".repeat(40)}`,
    matcherOf(parseQuery("tram"), "en"),
  );
  expect(shown(found)).toStartWith("… Here the [tram] is");
  expect(shown(found)).toMatch(/(something|else) …$/);
});

test("a megabyte of text takes little time", () => {
  const text = "lots of plain words that lead nowhere ".repeat(27_000);
  const began = performance.now();
  snippet("tram lisbon", text);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test("any text gives whole segments of it, in order and bounded", () => {
  const text = fc.array(
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("tram ", "東京", "😀")),
    {
      maxLength: 80,
    },
  );
  fc.assert(
    fc.property(text, fc.constantFrom("en", "ja", null), (parts, lang) => {
      const whole = parts.join("").toWellFormed();
      const found = snippetOf(whole, matcherOf(parseQuery("tram 東京"), lang));
      const joined = found.map((segment) => segment.text).join("");
      expect(joined.isWellFormed()).toBe(true);
      expect(joined.length).toBeLessThanOrEqual(250);
      const inner = joined.replace(/^… /, "").replace(/ …$/, "");
      expect(whole.replace(/\s+/g, " ")).toContain(inner.trim());
      found.slice(1).forEach((segment, at) => {
        expect(segment.match).not.toBe(found[at]!.match);
      });
    }),
  );
});
