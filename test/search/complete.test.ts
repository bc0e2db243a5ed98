import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseQuery } from "../../src/search/query.ts";
import { type SearchRequest, search } from "../../src/search/search.ts";
import type { Given } from "./documents.ts";
import { atOwnHosts, type FilledIndex, fillIndex } from "./filled-index.ts";

let filled: FilledIndex;

const DOCUMENTS: Given[] = [
  { id: 1, title: "Zebrafish", text: "The zebrafish is a fish of the danio kind." },
  { id: 2, text: "A zebra grazes." },
  { id: 3, text: "A danio swims." },
  { id: 4, lang: "fr", text: "Les étoiles filantes" },
  { id: 5, title: "Zebrawood", text: "zebrawood zebrawood zebrawood" },
  { id: 6, text: "code zq12x34" },
  ...Array.from({ length: 12 }, (_, at) => ({ id: 100 + at, text: "the harp sounds" })),
  { id: 120, text: "harpsichord" },
];

beforeAll(async () => {
  filled = await fillIndex(atOwnHosts(DOCUMENTS));
});
afterAll(() => filled?.remove());

const ask = (query: string, more: Partial<SearchRequest> = {}) =>
  search(filled.index, { query, page: 1, perPage: 10, sort: "relevance", explain: true, ...more });
const idsOf = async (query: string, more: Partial<SearchRequest> = {}) =>
  (await ask(query, more)).hits.map(({ id }) => id);

test("a last word that no document has is taken as the beginning of one", async () => {
  const results = await ask("zebrafi");
  expect(results).toMatchObject({ total: 1, completions: ["zebrafish"] });
  const [hit] = results.hits;
  expect(hit!.id).toBe(1);
  expect(hit!.title).toEqual([{ text: "Zebrafish", match: true }]);
  expect(hit!.snippet[1]).toEqual({ text: "zebrafish", match: true });
  expect(hit!.explain!.completion).toBeGreaterThan(0);
  expect(hit!.explain!.completion).toBeLessThan(1);
  expect((await ask("danio")).hits[0]!.explain).not.toHaveProperty("completion");
});

test("with other words it adds what has them both, first", async () => {
  expect(await idsOf("danio zebrafi")).toEqual([1, 3]);
  expect(await idsOf("zebrafi", { sort: "date" })).toEqual([1]);
  expect(await idsOf("ÉTOIL")).toEqual([4]);
});

test("a word that documents have stands alone, unless it is asked as it is typed", async () => {
  expect(await idsOf("zebra")).toEqual([2]);
  const typed = await idsOf("zebra", { isAsTyped: true });
  expect(typed[0]).toBe(2);
  expect(typed.slice(1).sort()).toEqual([1, 5]);
  expect(await idsOf("zebra", { isAsTyped: true, sort: "date" })).toEqual([2]);
});

test("a word that enough documents have is complete", async () => {
  expect(await ask("harp", { isAsTyped: true })).not.toHaveProperty("completions");
  expect(await idsOf("harpsi")).toEqual([120]);
});

test.each([
  ["ze", "shorter than three letters"],
  ["zq12x3", "with digits"],
  ['"zebrafi"', "quoted"],
  ["danio -zebrafi", "excluded"],
  ["intitle:zebrafi", "of the title"],
  ["site:zebrafi", "a host"],
  ["zebrafi danio", "not the last one"],
  ["zebrafi lang:en", "before an operator"],
  ["zebrafi, ", "followed by a comma"],
])("%j is not completed: %s", async (query) => {
  expect(await ask(query, { isAsTyped: true })).not.toHaveProperty("completions");
});

test("a query says which of its words is the last", () => {
  const at = (query: string) => parseQuery(query).unfinished;
  expect([at("a b"), at("a b a"), at("a OR b"), at("a -b"), at('a "b"'), at("")]).toEqual([
    1,
    0,
    0,
    null,
    null,
    null,
  ]);
});
