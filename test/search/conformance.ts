import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Candidate } from "../../src/search/document.ts";
import { type CandidateFilter, IndexUnavailable, type SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { createScorer } from "../../src/search/score.ts";
import { DOCUMENTS, day, QUERIES } from "./conformance-cases.ts";
import { enrichCases } from "./conformance-enrich.ts";
import { placeCases } from "./conformance-places.ts";
import { rankCases } from "./conformance-ranks.ts";
import { synonymCases } from "./conformance-synonyms.ts";
import { versionCases } from "./conformance-versions.ts";
import { analysisOf, documentOf } from "./documents.ts";

const FILTER: CandidateFilter = { sort: "relevance", limit: 100 };

/** What every adapter of the port must do. `open` gives a fresh, empty index. */
export function indexConformance(name: string, open: () => Promise<SearchIndex>): void {
  describe(`${name} index`, () => {
    let index: SearchIndex;
    beforeAll(async () => {
      index = await open();
      for (const result of await Promise.all(DOCUMENTS.map((own) => index.put(documentOf(own))))) {
        expect(result).toEqual({ kind: "stored" });
      }
    });
    afterAll(() => index.close());

    const given = openedIndex(() => index, open);
    reads(given);
    begins(given);
    lists(given);
    changes(given);
    const parts = [placeCases, versionCases, rankCases, enrichCases, synonymCases];
    for (const cases of parts) cases(given);
    withstands(given);
  });
}

interface Opened {
  index(): SearchIndex;
  /** Another one, fresh and empty. */
  open(): Promise<SearchIndex>;
  /** What matches, as score() confirms it. */
  found(query: string, more?: Partial<CandidateFilter>): Promise<Candidate[]>;
  idsOf(query: string, more?: Partial<CandidateFilter>): Promise<number[]>;
}

function openedIndex(index: () => SearchIndex, open: () => Promise<SearchIndex>): Opened {
  const found: Opened["found"] = async (text, more = {}) => {
    const query = parseQuery(text);
    const set = await index().candidates(query, { ...FILTER, ...more });
    const scorer = createScorer(query, set);
    return set.candidates.filter((candidate) => scorer.score(candidate) !== null);
  };
  const idsOf: Opened["idsOf"] = async (query, more) =>
    (await found(query, more)).map(({ id }) => id).sort((one, other) => one - other);
  return { index, open, found, idsOf };
}

function reads(given: Opened): void {
  test.each(QUERIES)("%j finds %j: %s", async (query, ids) => {
    expect(await given.idsOf(query)).toEqual(ids);
    const set = await given.index().candidates(parseQuery(query), FILTER);
    expect([set.total, set.totalCapped]).toEqual([set.candidates.length, false]);
  });

  test("a candidate carries what score() and a hit read", async () => {
    const document = documentOf(DOCUMENTS[11]!);
    const [candidate] = await given.found("newer");
    expect(candidate).toEqual({
      id: 12,
      url: document.url,
      host: "d.example",
      lang: "en",
      title: "Newer news",
      publishedAt: day("2023-07-01"),
      crawledAt: document.crawledAt.getTime(),
      simhash: document.simhash,
      words: analysisOf(document).words,
      linkDensity: 0,
      authority: null,
      regionScore: 0.75,
      regionHost: null,
      locations: null,
      forward: analysisOf(document).forward,
    });
  });

  test("filters apply inside the match", async () => {
    expect(await given.idsOf("trams", { host: "a.example" })).toEqual([1]);
    expect(await given.idsOf("museum", { from: day("2019-03-05"), to: day("2019-03-06") })).toEqual(
      [11],
    );
    expect(await given.idsOf("site:fr.example", { lang: "fr" })).toEqual([5]);
    expect(await given.idsOf("site:fr.example", { lang: "en" })).toEqual([]);
  });

  test("sorted by date the newest come first, undated ones by their crawl", async () => {
    const newest = await given.found("museum", { sort: "date" });
    expect(newest.map(({ id }) => id)).toEqual([8, 12, 11]);
    expect((await given.found("museum", { sort: "date", limit: 1 })).length).toBe(1);
  });
}

function begins(given: Opened): void {
  test("fewer candidates are the beginning of more", async () => {
    const idsOf = async (text: string, sort: CandidateFilter["sort"], limit: number) => {
      const set = await given.index().candidates(parseQuery(text), { sort, limit });
      return set.candidates.map(({ id }) => id);
    };
    for (const text of ["trams douro", "museum", "lang:en", "the"]) {
      for (const sort of ["relevance", "date"] as const) {
        const all = await idsOf(text, sort, 100);
        for (const limit of [1, 2, 5]) {
          expect(await idsOf(text, sort, limit)).toEqual(all.slice(0, limit));
        }
      }
    }
  });
}

function lists(given: Opened): void {
  test("texts, ids and the count are there", async () => {
    expect(await given.index().texts([1, 999])).toEqual(new Map([[1, DOCUMENTS[0]!.text!]]));
    expect(await given.index().count()).toBe(DOCUMENTS.length);
    const all = await given.index().ids(0, 100);
    expect(all.map(({ id }) => id)).toEqual(DOCUMENTS.map(({ id }) => id));
    expect((await given.index().ids(5, 2)).map(({ id }) => id)).toEqual([6, 7]);
  });

  test("titles are found by their beginning, folded", async () => {
    expect((await given.index().titles("l ECOLE", 5)).map(({ title }) => title)).toEqual([
      "L’école d’été",
    ]);
    expect(await given.index().titles("new", 1)).toHaveLength(1);
    expect(await given.index().titles("%", 5)).toEqual([]);
  });
}

function changes(given: Opened): void {
  test("putting again replaces; removing removes, also what is not there", async () => {
    const page = { id: 50, host: "e.example", title: "First", text: "alphaword" };
    await given.index().put(documentOf(page));
    await given
      .index()
      .put(documentOf({ ...page, title: "Second", text: "betaword", linkDensity: 1 }));
    expect(await given.idsOf("alphaword")).toEqual([]);
    expect((await given.found("betaword")).map(({ title }) => title)).toEqual(["Second"]);
    expect(await given.idsOf("site:e.example")).toEqual([50]);
    expect(await given.index().remove([50, 51])).toEqual({ kind: "stored" });
    expect(await given.idsOf("betaword")).toEqual([]);
    expect(await given.index().texts([50])).toEqual(new Map());
    expect(await given.index().count()).toBe(DOCUMENTS.length);
  });

  test("a document that cannot be stored is refused, and the others are stored", async () => {
    const results = await Promise.all([
      given.index().put(documentOf({ id: 70, text: "deltaword" })),
      given.index().put(documentOf({ id: -1, text: "deltaword" })),
      given.index().put({ ...documentOf({ id: 71 }), crawledAt: new Date(Number.NaN) }),
      given.index().put(documentOf({ id: 72, text: "deltaword" })),
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(["stored", "refused", "refused", "stored"]);
    expect(await given.idsOf("deltaword")).toEqual([70, 72]);
    await given.index().remove([70, 72]);
  });
}

function withstands(given: Opened): void {
  test("hostile texts are stored as text", async () => {
    const text = `quote " ' ; drop table pages; -- \0 \ud800 <script> ${"x".repeat(100_000)}`;
    const document = documentOf({
      id: 80,
      title: 'a" OR 1=1 \0 hostileword',
      text,
      host: "x_y.example",
    });
    expect(await given.index().put(document)).toEqual({ kind: "stored" });
    expect(await given.idsOf("hostileword")).toEqual([80]);
    expect(await given.idsOf("site:x_y.example")).toEqual([80]);
    const kept = (await given.index().texts([80])).get(80)!;
    expect(kept.isWellFormed()).toBe(true);
    expect(kept).not.toContain("\0");
    expect(kept.startsWith(`quote " ' ; drop table pages; --`)).toBe(true);
    await given.index().remove([80]);
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
      ...["trams", "AND", "NOT", "{", "terms:", "\0", "\ud800", "''", "_s", "+", "a".repeat(2_000)],
    );
    const part = fc.oneof(operator, fc.string({ unit: "binary", maxLength: 12 }));
    const query = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(" "));
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom("relevance", "date"), async (text, sort) => {
        const set = await given.index().candidates(parseQuery(text), { sort, limit: 10 });
        expect(set.candidates.length).toBeLessThanOrEqual(10);
        expect(set.total).toBeGreaterThanOrEqual(set.candidates.length);
        await given.index().titles(text, 3);
        await given.index().words(text, 3);
        await given.index().similar(text, 3);
      }),
      { numRuns: 150, interruptAfterTimeLimit: 20_000 },
    );
  });

  test("it is up, and says closed after closing", async () => {
    expect(["up", "slow"]).toContain(await given.index().health());
    const own = await given.open();
    await own.close();
    await own.close();
    expect((await own.put(documentOf({ id: 1 }))).kind).toBe("unavailable");
    expect(own.count()).rejects.toBeInstanceOf(IndexUnavailable);
    expect(await own.health()).toBe("down");
  });

  test("dates at the ends of time are dates", async () => {
    const document = documentOf({ id: 90, text: "epsilonword", publishedAt: new Date(-62e12) });
    expect(await given.index().put(document)).toEqual({ kind: "stored" });
    expect(await given.idsOf("epsilonword", { to: day("1900-01-01") })).toEqual([90]);
    expect(await given.idsOf("epsilonword", { from: day("1900-01-01"), to: 8e15 })).toEqual([]);
    await given.index().remove([90]);
  });
}
