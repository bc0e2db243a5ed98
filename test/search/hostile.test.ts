import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { editsBetween } from "../../src/search/edits.ts";
import { nameOf } from "../../src/search/navigational.ts";
import { openIndex } from "../../src/search/open.ts";
import { placesOf } from "../../src/search/places.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { type SearchRequest, search } from "../../src/search/search.ts";
import { markTitle, matcherOf, type Segment, snippetOf } from "../../src/search/snippet.ts";
import { suggest } from "../../src/search/suggest.ts";
import { foldText } from "../../src/text/fold.ts";
import { gazetteerOf } from "../support/regions.ts";
import { documentOf, type Given } from "./documents.ts";
import { ATTACKS, GROWING } from "./hostile.ts";

/** What a browser can send, and what only a shell could: if time were quadratic, minutes. */
const LENGTHS = [8_000, 512_000];
const AT_ONCE_MS = 2_500;
const gazetteer = gazetteerOf();

/** Milliseconds; the second time, so that nothing is made ready meanwhile. */
function timeOf(act: () => unknown): number {
  act();
  const began = performance.now();
  act();
  return performance.now() - began;
}

const joined = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join("");

describe.each(Object.entries(GROWING))("a text of nothing but %s", (_, grown) => {
  test.each(LENGTHS)("of %d characters is understood at once", (length) => {
    const text = grown(length);
    expect(timeOf(() => parseQuery(text))).toBeLessThan(AT_ONCE_MS);
    expect(timeOf(() => nameOf(text))).toBeLessThan(AT_ONCE_MS);
    expect(timeOf(() => placesOf(gazetteer, text, text.slice(0, 100)))).toBeLessThan(AT_ONCE_MS);
    expect(timeOf(() => foldText(text))).toBeLessThan(AT_ONCE_MS);
    const query = parseQuery(text);
    expect(query.concepts.length).toBeLessThanOrEqual(32);
    for (const { words } of query.concepts) {
      for (const { surface } of words) expect(surface.length).toBeLessThanOrEqual(64);
    }
  });

  test.each(LENGTHS)("of %d characters is marked at once, and shown whole", (length) => {
    const text = grown(length).toWellFormed();
    for (const query of [text, "amber", `${text.slice(0, 60)} amber`]) {
      const matcher = matcherOf(parseQuery(query), "en");
      expect(timeOf(() => snippetOf(text, matcher))).toBeLessThan(AT_ONCE_MS);
      expect(timeOf(() => markTitle(text, matcher))).toBeLessThan(AT_ONCE_MS);
      for (const shown of [joined(snippetOf(text, matcher)), joined(markTitle(text, matcher))]) {
        expect(shown.isWellFormed()).toBe(true);
        expect(shown.length).toBeLessThanOrEqual(304);
      }
    }
  });
});

test("words of any length are compared at once", () => {
  expect(timeOf(() => editsBetween("w".repeat(2_000), "w".repeat(2_001), 2))).toBeLessThan(2_000);
  expect(editsBetween("w".repeat(8_000), "w", 2)).toBeNull();
});

const WHOLE = 8_000_000;

const DOCUMENTS: Given[] = [
  { id: 1, title: "plain", text: "plain amber birch" },
  { id: 2, title: "token", text: "w".repeat(WHOLE) },
  { id: 3, title: "token behind", text: `${"w".repeat(WHOLE)} plain` },
  { id: 4, title: "marks", text: "\u0301\u0316".repeat(300_000) },
  { id: 5, title: "marked", text: `a${"\u0301\u0316".repeat(300_000)} plain` },
  { id: 6, title: "nul", text: `plain\0amber\0${"\0".repeat(10_000)}birch` },
  { id: 7, title: "halves \ud800", text: "plain \ud800\udc00 \udc00 \ud800 amber" },
  { id: 8, title: "turned \u202e", text: "\u202eplain\u2066 amber" },
  { id: 9, title: "quotes", text: '"'.repeat(500_000) },
  { id: 10, title: "markup", text: "<b>plain</b> </script><script>alert(1)</script>" },
  { id: 11, title: "\u0301".repeat(50_000), text: "plain" },
  { id: 12, title: `long ${"t".repeat(1_000_000)}`, text: "plain" },
  { id: 13, title: "grams", text: "東京都".repeat(300_000) },
  { id: 14, title: "", text: "", description: "" },
  { id: 15, title: "wide", text: "\ufdfa".repeat(200_000) },
];

describe("an index of hostile documents", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-hostile-"));
  let index: SearchIndex;
  let stored: string[];

  beforeAll(async () => {
    index = await openIndex({ dataDir, log: silentLog });
    const puts = await Promise.all(DOCUMENTS.map((given) => index.put(documentOf(given))));
    stored = puts.map(({ kind }) => kind);
    await index.close();
    index = await openIndex({ dataDir, log: silentLog });
  }, 60_000);
  afterAll(async () => {
    await index.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ask = async (query: string, more: Partial<SearchRequest> = {}) => {
    const began = performance.now();
    const request = { query, page: 1, perPage: 50, sort: "relevance", explain: true } as const;
    const results = await search(index, { ...request, ...more }, { gazetteer });
    expect(performance.now() - began).toBeLessThan(2_000);
    for (const { title, snippet, score } of results.hits) {
      expect(joined(title).isWellFormed() && joined(snippet).isWellFormed()).toBe(true);
      expect(joined(title).length).toBeLessThanOrEqual(300);
      expect(joined(snippet).length).toBeLessThanOrEqual(250);
      expect(joined(snippet)).not.toContain("\0");
      expect(Number.isFinite(score)).toBe(true);
    }
    return results;
  };

  test("takes them all", () => {
    expect(stored).toEqual(DOCUMENTS.map(() => "stored"));
  });

  test("shows each of them", async () => {
    const { hits } = await ask("site:a.example", { collapse: "none" });
    const ids = hits.map(({ id }) => id).sort((one, other) => one - other);
    expect(ids).toEqual(DOCUMENTS.map(({ id }) => id));
  });

  test.each([
    "plain",
    "amber plain",
    `${"w".repeat(64)} plain`,
    "w".repeat(900),
    "東京都",
    "a\u0301",
  ])("answers %j", async (query) => {
    expect((await ask(query)).total).toBeGreaterThan(0);
  });

  test("is asked anything without failing, in time, and suggests as well", async () => {
    for (const attack of ATTACKS) {
      await ask(attack);
      await ask(`plain ${attack}`, { sort: "date", isAsTyped: true });
      await suggest(index, attack);
    }
    for (const grown of Object.values(GROWING)) {
      for (const length of [63, 64, 65, 1_000, 8_000]) {
        const text = grown(length);
        await ask(text, { isAsTyped: true });
        const began = performance.now();
        await suggest(index, text);
        await index.similar(text, 3);
        await index.words(text, 6);
        expect(performance.now() - began).toBeLessThan(2_000);
      }
    }
  }, 60_000);

  test("takes what an attack names for a filter for words of no document", async () => {
    const filters = ['en" OR "_a', "_a", "en') OR 1=1 --", "*", "en`||lang:!=`x", "\0", "\ud800"];
    for (const filter of filters) {
      for (const name of ["lang", "host", "category"] as const) {
        expect(await ask("plain", { [name]: filter })).toMatchObject({ total: 0 });
      }
    }
    // No word of a query reaches the tokens of the index that are no words.
    for (const query of ["_a", "_len", "_oa", "_tplain", "_iplain_m", '"_a"', "intitle:_a"]) {
      for (const { id } of (await ask(query)).hits) expect([6, 7]).not.toContain(id);
    }
  });
});
