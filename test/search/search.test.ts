import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { answer } from "../../src/search/answer.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { type SearchRequest, search } from "../../src/search/search.ts";
import { suggest } from "../../src/search/suggest.ts";
import { CRAWLED_AT, documentOf, type Given } from "./documents.ts";

const dataDir = mkdtempSync(join(tmpdir(), "trawl-search-"));
let index: SearchIndex;

/** Words of no meaning, different for each seed: a text long enough to have a simhash. */
const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `f${(seed * 7_001 + at * 31) % 99_991}`).join(" ");

const STORY = `copied story ${words(99, 80)}`;

const DOCUMENTS: Given[] = [
  ...[1, 2, 3, 4, 5].map((id) => ({ id, host: "many.example", text: `harbour ${words(id, 60)}` })),
  { id: 6, host: "one.example", title: "Harbour", text: `harbour ${words(6, 60)}` },
  { id: 7, host: "copy-a.example", text: STORY },
  { id: 8, host: "copy-b.example", text: STORY },
  { id: 9, host: "other.example", text: `copied other ${words(9, 80)}` },
  { id: 10, host: "code.example", title: "zq12x34", text: "exactly one" },
  { id: 11, host: "dated.example", text: "almanac one", publishedAt: new Date("2021-05-05") },
  { id: 12, host: "dated.example", text: "almanac almanac two" },
  { id: 13, host: "desc.example", title: "Described", description: "A described page.", text: "" },
  { id: 14, host: "long.example", text: "alpha beta gamma delta epsilon zeta eta theta iota" },
  ...Array.from({ length: 250 }, (_, at) => ({
    id: 100 + at,
    host: `h${at}.example`,
    text: "crowd",
  })),
];

beforeAll(async () => {
  index = await openIndex({ dataDir, log: silentLog });
  await Promise.all(DOCUMENTS.map((given) => index.put(documentOf(given))));
});
afterAll(async () => {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = (query: string, more: Partial<SearchRequest> = {}) =>
  search(index, { query, page: 1, perPage: 10, sort: "relevance", explain: false, ...more });
const idsOf = async (query: string, more: Partial<SearchRequest> = {}) =>
  (await ask(query, more)).hits.map(({ id }) => id);

test("an answer made where the candidates are is the one that is made here", async () => {
  for (const query of ["harbour", "crowd", '"alpha beta" eta', "almana", "story -one", ""]) {
    for (const sort of ["relevance", "date"] as const) {
      const request = { query, page: 1, perPage: 20, sort, explain: true };
      const { tookMs: _, ...there } = await search(index, request);
      expect(there).toEqual(await answer(index, request, {}));
    }
  }
});

test("an exact word gives exactly one document, with all that a hit has", async () => {
  const results = await ask("zq12x34");
  expect(results).toMatchObject({
    query: "zq12x34",
    total: 1,
    totalCapped: false,
    page: 1,
    perPage: 10,
    backend: "embedded",
    degraded: [],
    folded: 0,
    didYouMean: null,
  });
  expect(results.facets).toEqual({
    lang: [["en", 1]],
    host: [["code.example", 1]],
    category: [],
    year: [["2025", 1]],
  });
  expect(results.hits).toEqual([
    {
      id: 10,
      url: "https://code.example/page/10",
      host: "code.example",
      lang: "en",
      title: [{ text: "zq12x34", match: true }],
      snippet: [{ text: "exactly one", match: false }],
      summary: null,
      publishedAt: null,
      crawledAt: CRAWLED_AT,
      moreFromHost: 0,
      folded: 0,
      score: expect.any(Number),
    },
  ]);
});

test("two a host, and the last of them says how many more there are", async () => {
  const { hits, total } = await ask("harbour");
  expect(hits.map(({ host }) => host).sort()).toEqual([
    "many.example",
    "many.example",
    "one.example",
  ]);
  expect(hits[0]!.id).toBe(6);
  expect(hits.map(({ moreFromHost }) => moreFromHost)).toEqual([0, 0, 3]);
  expect(total).toBe(6);
});

test("all of them when asked, or when a host is named", async () => {
  expect((await idsOf("harbour", { collapse: "none" })).length).toBe(6);
  expect((await idsOf("harbour", { host: "many.example" })).length).toBe(5);
  expect((await idsOf("harbour site:many.example")).length).toBe(5);
  expect((await idsOf("harbour site:many.example", { collapse: "host" })).length).toBe(2);
});

test("near duplicates are shown once, unless nothing collapses", async () => {
  const shown = await idsOf("copied");
  expect(shown.filter((id) => id === 7 || id === 8)).toHaveLength(1);
  expect(shown).toContain(9);
  expect(await idsOf("copied", { collapse: "none" })).toHaveLength(3);
});

test("results say how many near duplicates they leave out, and of which hit", async () => {
  const { total, folded, hits } = await ask("copied");
  expect([total, folded]).toEqual([3, 1]);
  expect(hits.map((hit) => [hit.id === 9, hit.folded]).sort()).toEqual([
    [false, 1],
    [true, 0],
  ]);
  expect((await ask("copied", { collapse: "none" })).folded).toBe(0);
});

test("sorted by date the newest come first", async () => {
  expect(await idsOf("almanac", { sort: "date" })).toEqual([12, 11]);
  expect(await idsOf("almanac")).toEqual([12, 11]);
  expect(await idsOf("almanac exactly", { sort: "date" })).toEqual([10, 12, 11]);
});

test("filters: year, dates, language, category", async () => {
  expect(await idsOf("almanac", { year: 2021 })).toEqual([11]);
  expect(await idsOf("almanac", { year: 2021, from: Date.parse("2021-06-01") })).toEqual([]);
  expect(await idsOf("almanac", { from: Date.parse("2022-01-01") })).toEqual([12]);
  expect(await idsOf("almanac", { lang: "EN" })).toEqual([12, 11]);
  expect(await idsOf("almanac", { lang: "fr" })).toEqual([]);
  expect(await idsOf("almanac", { category: "sport" })).toEqual([]);
});

test("pages follow each other without gap or repeat, and end", async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => idsOf("crowd", { page, perPage: 50 })));
  expect(new Set(pages.flat()).size).toBe(150);
  expect((await ask("crowd")).total).toBe(250);
  expect(await idsOf("almanac", { page: 2 })).toEqual([]);
});

test.each([
  [{ page: 0 }, { page: 1 }],
  [{ page: Number.NaN }, { page: 1 }],
  [
    { page: 99, perPage: 100 },
    { page: 2, perPage: 100 },
  ],
  [{ perPage: 1e9 }, { perPage: 100 }],
])("a page out of bounds is brought inside: %j", async (more, expected) => {
  expect(await ask("crowd", more)).toMatchObject(expected);
});

test.each(["", "-crowd", "!!!", '-"crowd"'])("%j finds nothing, and is no error", async (query) => {
  expect(await ask(query)).toMatchObject({ total: 0, hits: [], facets: { host: [] } });
});

test("explain gives the breakdown of each hit", async () => {
  const [hit] = (await ask("zq12x34", { explain: true })).hits;
  expect(hit!.explain).toMatchObject({ quality: 1, authority: 0 });
  expect(hit!.explain!.text).toBeCloseTo(hit!.score, 10);
});

test("a long description keeps its answers when its phrase is nowhere", async () => {
  const words = "alpha beta gamma delta epsilon zeta eta theta";
  expect(await ask(`${words} "theta alpha"`)).toMatchObject({ total: 1, relaxed: true });
  const short = await ask('alpha "theta alpha"');
  expect([short.total, short.relaxed]).toEqual([0, undefined]);
});

test("a page without text shows its description", async () => {
  const [hit] = (await ask("described")).hits;
  expect(hit!.snippet).toEqual([
    { text: "A ", match: false },
    { text: "described", match: true },
    { text: " page.", match: false },
  ]);
});

test("took is what the clock says", async () => {
  const ticks = [10, 17.26];
  const request = {
    query: "crowd",
    page: 1,
    perPage: 1,
    sort: "relevance",
    explain: false,
  } as const;
  const { tookMs } = await search(index, request, { now: () => ticks.shift()! });
  expect(tookMs).toBe(7.3);
});

test("suggestions complete the last word, and find titles", async () => {
  const own = mkdtempSync(join(tmpdir(), "trawl-suggest-"));
  const writing = await openIndex({ dataDir: own, log: silentLog });
  const text = "harbour harvest harbour";
  await writing.put(documentOf({ id: 1, title: "Harbour lights", text }));
  await writing.put(documentOf({ id: 2, title: "Another", text: "harbour" }));
  await writing.close();
  const reading = await openIndex({ dataDir: own, log: silentLog });
  expect(await suggest(reading, "The Har")).toEqual({
    queries: ["The harbour", "The harvest"],
    titles: [],
  });
  expect(await suggest(reading, "harb")).toEqual({
    queries: ["harbour"],
    titles: [{ title: "Harbour lights", url: "https://a.example/page/1" }],
  });
  expect(await suggest(reading, "harbour ")).toMatchObject({ queries: [] });
  expect(await suggest(reading, " \0")).toEqual({ queries: [], titles: [] });
  await reading.close();
  rmSync(own, { recursive: true, force: true });
});
