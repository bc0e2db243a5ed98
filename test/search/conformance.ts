import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type CandidateFilter, IndexUnavailable, type SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { createScorer } from "../../src/search/score.ts";
import { documentOf, type Given } from "./documents.ts";

const DAY_MS = 86_400_000;
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

const DOCUMENTS: Given[] = [
  { id: 1, host: "a.example", title: "Lisbon trams", text: "Yellow trams climb the hills." },
  { id: 2, host: "www.a.example", title: "Porto", text: "A tram runs along the river Douro." },
  { id: 3, host: "b.example", title: "Wine", text: "Port wine comes from the Douro valley." },
  { id: 4, host: "b.example", title: "Code zq12x34", text: "A page with a rare word: qz98." },
  {
    id: 5,
    host: "fr.example",
    lang: "fr",
    title: "L’école d’été",
    text: "Les événements culturels de l’école continuent.",
  },
  { id: 6, host: "ru.example", lang: "ru", title: "Книги", text: "Новые книги о городе и ёлках." },
  { id: 7, host: "ja.example", lang: "ja", title: "東京都", text: "東京都の猫は黒猫です。" },
  { id: 8, host: "c.example", title: "New York", text: "The new museum of York, not the other." },
  { id: 9, host: "c.example", title: "City", text: "In New York the trams are gone." },
  { id: 10, host: "d.example", lang: null, title: "Rivers", text: "rivers of the valley" },
  {
    id: 11,
    host: "d.example",
    title: "Old news",
    text: "museum opened",
    publishedAt: new Date(day("2019-03-05")),
  },
  {
    id: 12,
    host: "d.example",
    title: "Newer news",
    text: "museum closed",
    publishedAt: new Date(day("2023-07-01")),
  },
];

const QUERIES: [query: string, ids: number[], why: string][] = [
  ["zq12x34", [4], "an exact word with digits, in the title"],
  ["QZ98", [4], "in any case"],
  ["trams", [1, 2, 9], "a word and its other forms"],
  ["tram", [1, 2, 9], "the other way round"],
  ["trams douro", [1, 2, 3, 9], "any of the words"],
  ['"new york"', [8, 9], "words side by side, in title or text"],
  ['"york museum"', [], "which these are nowhere"],
  ['"trams"', [1, 9], "a quoted word as it is typed"],
  ["trams -lisbon", [2, 9], "without a word"],
  ['museum -"new york"', [11, 12], "without a phrase"],
  ["douro site:b.example", [3], "on a host"],
  ["trams site:a.example", [1, 2], "and below it"],
  ["trams -site:a.example", [9], "or elsewhere"],
  ["site:c.example", [8, 9], "all of a host"],
  ["intitle:news museum", [11, 12], "a word of the title"],
  ["intitle:museum", [], "which a word of the text is not"],
  ["museum after:2020 -york", [12], "published since"],
  ["museum before:2020", [11], "published before"],
  ["lang:fr", [5], "all of a language"],
  ["ecole", [5], "without accents and elision"],
  ["L'ÉCOLE", [5], "with them"],
  ["evenement", [5], "without accents, singular"],
  ["книга", [6], "stems of Russian"],
  ["елка", [6], "and its yo"],
  ["猫", [7], "a character inside a text without spaces"],
  ["黒猫", [7], "two of them"],
  ["rivers", [2, 10], "a text of no known language as it stands"],
  ["lisbon OR museum", [1, 8, 11, 12], "one or the other"],
  ["nowhere", [], "a word that no document has"],
];

/** What every adapter of the port must do. `open` gives a fresh, empty index. */
export function indexConformance(name: string, open: () => Promise<SearchIndex>): void {
  describe(`${name} index`, () => {
    let index: SearchIndex;
    const filter: CandidateFilter = { sort: "relevance", limit: 100 };
    const found = async (text: string, more: Partial<CandidateFilter> = {}) => {
      const query = parseQuery(text);
      const set = await index.candidates(query, { ...filter, ...more });
      const scorer = createScorer(query, set);
      return set.candidates.filter((candidate) => scorer.score(candidate) !== null);
    };
    const idsOf = async (query: string, more: Partial<CandidateFilter> = {}) =>
      (await found(query, more)).map(({ id }) => id).sort((one, other) => one - other);

    beforeAll(async () => {
      index = await open();
      for (const result of await Promise.all(DOCUMENTS.map((own) => index.put(documentOf(own))))) {
        expect(result).toEqual({ kind: "stored" });
      }
    });
    afterAll(() => index.close());

    test.each(QUERIES)("%j finds %j: %s", async (query, ids) => {
      expect(await idsOf(query)).toEqual(ids);
      const set = await index.candidates(parseQuery(query), filter);
      expect([set.total, set.totalCapped]).toEqual([set.candidates.length, false]);
    });

    test("a candidate carries what score() and a hit read", async () => {
      const given = documentOf(DOCUMENTS[11]!);
      const [candidate] = await found("newer");
      expect(candidate).toEqual({
        id: 12,
        url: given.url,
        host: "d.example",
        lang: "en",
        title: "Newer news",
        publishedAt: day("2023-07-01"),
        crawledAt: given.crawledAt.getTime(),
        simhash: given.simhash,
        words: given.analysis.words,
        linkDensity: 0,
        forward: given.analysis.forward,
      });
    });

    test("filters apply inside the match", async () => {
      expect(await idsOf("trams", { host: "a.example" })).toEqual([1]);
      expect(await idsOf("museum", { from: day("2019-03-05"), to: day("2019-03-06") })).toEqual([
        11,
      ]);
      expect(await idsOf("site:fr.example", { lang: "fr" })).toEqual([5]);
      expect(await idsOf("site:fr.example", { lang: "en" })).toEqual([]);
    });

    test("sorted by date the newest come first, undated ones by their crawl", async () => {
      const newest = await found("museum", { sort: "date" });
      expect(newest.map(({ id }) => id)).toEqual([8, 12, 11]);
      expect((await found("museum", { sort: "date", limit: 1 })).length).toBe(1);
    });

    test("facets and collection numbers come with the candidates", async () => {
      const set = await index.candidates(parseQuery("museum"), filter);
      expect(set.facets.host).toEqual([
        ["d.example", 2],
        ["c.example", 1],
      ]);
      expect(set.facets.lang).toEqual([["en", 3]]);
      expect(set.facets.year).toEqual([
        ["2019", 1],
        ["2023", 1],
        ["2025", 1],
      ]);
      expect(set.documents).toBe(DOCUMENTS.length);
      expect(set.averageLengths.body).toBeGreaterThan(1);
    });

    test("texts, ids and the count are there", async () => {
      expect(await index.texts([1, 999])).toEqual(new Map([[1, DOCUMENTS[0]!.text!]]));
      expect(await index.count()).toBe(DOCUMENTS.length);
      const all = await index.ids(0, 100);
      expect(all.map(({ id }) => id)).toEqual(DOCUMENTS.map(({ id }) => id));
      expect((await index.ids(5, 2)).map(({ id }) => id)).toEqual([6, 7]);
    });

    test("titles are found by their beginning, folded", async () => {
      expect((await index.titles("l ECOLE", 5)).map(({ title }) => title)).toEqual([
        "L’école d’été",
      ]);
      expect(await index.titles("new", 1)).toHaveLength(1);
      expect(await index.titles("%", 5)).toEqual([]);
    });

    test("putting again replaces; removing removes, also what is not there", async () => {
      const given = { id: 50, host: "e.example", title: "First", text: "alphaword" };
      await index.put(documentOf(given));
      await index.put(documentOf({ ...given, title: "Second", text: "betaword", linkDensity: 1 }));
      expect(await idsOf("alphaword")).toEqual([]);
      expect((await found("betaword")).map(({ title }) => title)).toEqual(["Second"]);
      expect(await idsOf("site:e.example")).toEqual([50]);
      expect(await index.remove([50, 51])).toEqual({ kind: "stored" });
      expect(await idsOf("betaword")).toEqual([]);
      expect(await index.texts([50])).toEqual(new Map());
      expect(await index.count()).toBe(DOCUMENTS.length);
    });

    test("calls take effect in the order they were made", async () => {
      const given = documentOf({ id: 60, text: "gammaword" });
      void index.put(given);
      void index.remove([60]);
      const last = index.put(given);
      expect(await last).toEqual({ kind: "stored" });
      expect(await idsOf("gammaword")).toEqual([60]);
      await index.remove([60]);
    });

    test("a document that cannot be stored is refused, and the others are stored", async () => {
      const results = await Promise.all([
        index.put(documentOf({ id: 70, text: "deltaword" })),
        index.put(documentOf({ id: -1, text: "deltaword" })),
        index.put({ ...documentOf({ id: 71 }), crawledAt: new Date(Number.NaN) }),
        index.put(documentOf({ id: 72, text: "deltaword" })),
      ]);
      expect(results.map(({ kind }) => kind)).toEqual(["stored", "refused", "refused", "stored"]);
      expect(await idsOf("deltaword")).toEqual([70, 72]);
      await index.remove([70, 72]);
    });

    test("hostile texts are stored as text", async () => {
      const text = `quote " ' ; drop table pages; -- \0 \ud800 <script> ${"x".repeat(100_000)}`;
      const given = documentOf({
        id: 80,
        title: 'a" OR 1=1 \0 hostileword',
        text,
        host: "x_y.example",
      });
      expect(await index.put(given)).toEqual({ kind: "stored" });
      expect(await idsOf("hostileword")).toEqual([80]);
      expect(await idsOf("site:x_y.example")).toEqual([80]);
      const kept = (await index.texts([80])).get(80)!;
      expect(kept.isWellFormed()).toBe(true);
      expect(kept).not.toContain("\0");
      expect(kept.startsWith(`quote " ' ; drop table pages; --`)).toBe(true);
      await index.remove([80]);
    });

    test("no query is an error", async () => {
      const operator = fc.constantFrom(
        ...[
          '"',
          "-",
          "OR",
          "site:",
          "intitle:",
          "lang:fr",
          "before:2020",
          "NEAR(",
          "*",
          "^",
          "(",
          ")",
        ],
        ...[
          "trams",
          "AND",
          "NOT",
          "{",
          "terms:",
          "\0",
          "\ud800",
          "''",
          "_s",
          "+",
          "a".repeat(2_000),
        ],
      );
      const part = fc.oneof(operator, fc.string({ unit: "binary", maxLength: 12 }));
      const query = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(" "));
      await fc.assert(
        fc.asyncProperty(query, fc.constantFrom("relevance", "date"), async (text, sort) => {
          const set = await index.candidates(parseQuery(text), { sort, limit: 10 });
          expect(set.candidates.length).toBeLessThanOrEqual(10);
          expect(set.total).toBeGreaterThanOrEqual(set.candidates.length);
          await index.titles(text, 3);
          await index.words(text, 3);
          await index.similar(text, 3);
        }),
        { numRuns: 150, interruptAfterTimeLimit: 20_000 },
      );
    });

    test("it is up, and says closed after closing", async () => {
      expect(["up", "slow"]).toContain(await index.health());
      const own = await open();
      await own.close();
      await own.close();
      expect((await own.put(documentOf({ id: 1 }))).kind).toBe("unavailable");
      expect(own.count()).rejects.toBeInstanceOf(IndexUnavailable);
      expect(await own.health()).toBe("down");
    });

    test("dates at the ends of time are dates", async () => {
      const given = documentOf({ id: 90, text: "epsilonword", publishedAt: new Date(-62e12) });
      expect(await index.put(given)).toEqual({ kind: "stored" });
      expect(await idsOf("epsilonword", { to: day("1900-01-01") })).toEqual([90]);
      expect(await idsOf("epsilonword", { from: day("1900-01-01"), to: DAY_MS * 1e6 })).toEqual([]);
      await index.remove([90]);
    });
  });
}
