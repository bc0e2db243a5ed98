import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rankOf } from "../../src/crawl/host-ranks.ts";
import { indexDocument } from "../../src/crawl/index-document.ts";
import { documentOf } from "../../src/crawl/index-page.ts";
import type { ClaimedUrl } from "../../src/db/claim-urls.ts";
import { thousandths } from "../../src/frontier/region.ts";
import { silentLog } from "../../src/log.ts";
import { packResult } from "../../src/parse/packed.ts";
import { parsePage } from "../../src/parse/page.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { type SearchConfig, search } from "../../src/search/search.ts";
import { requestOf } from "../support/parse.ts";
import { regionSite } from "../support/region-site.ts";
import { gazetteerOf, lexiconOf } from "../support/regions.ts";

const dataDir = mkdtempSync(join(tmpdir(), "trawl-region-"));
const { pages, asks } = regionSite();
const gazetteer = gazetteerOf("quebec");
let index: SearchIndex;

/** As a crawl of the site fills it. */
beforeAll(async () => {
  index = await openIndex({ dataDir, log: silentLog });
  const lexicon = lexiconOf("quebec");
  const sums = new Map<string, { regionSum: number; regionCount: number }>();
  for (const [at, { url, html }] of pages.entries()) {
    const packed = packResult(await parsePage({ ...requestOf(html), url }, lexicon));
    if (packed.kind !== "page") throw new Error(`no page at ${url}`);
    const claimed = { id: at + 1, url } as ClaimedUrl;
    const row = documentOf(claimed, packed, 1e12);
    const host = new URL(url).hostname;
    const put = await index.put(indexDocument(row, { url, host }, packed.analysis));
    expect(put).toEqual({ kind: "stored" });
    const { regionSum, regionCount } = sums.get(host) ?? { regionSum: 0, regionCount: 0 };
    const score = thousandths(packed.region!.score);
    sums.set(host, { regionSum: regionSum + score, regionCount: regionCount + 1 });
  }
  await index.rankHosts([...sums].map(([name, own]) => rankOf({ name, authority: 0, ...own })));
});

afterAll(async () => {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function asked(query: string, config: SearchConfig = { gazetteer }, region?: string) {
  const request = { query, page: 1, perPage: 5, sort: "relevance", explain: true } as const;
  return await search(index, { ...request, ...(region === undefined ? {} : { region }) }, config);
}

const firstOf = async (...ask: Parameters<typeof asked>) => (await asked(...ask)).hits[0]?.url;

async function wrong(
  table: readonly (readonly [string, string])[],
  config?: SearchConfig,
): Promise<string[]> {
  const firsts = await Promise.all(table.map(([query]) => firstOf(query, config)));
  return table.filter(([, url], at) => firsts[at] !== url).map(([query]) => query);
}

const REGION = ["regionPage", "regionHost", "locality"] as const;
const without = Object.fromEntries(REGION.map((name) => [name, { enabled: false, weight: 0 }]));

describe("with the region quebec", () => {
  test.each(asks.region)("%j, which names a place of it: first %s", async (query, url) => {
    expect(await firstOf(query)).toBe(url);
  });
  test.each(asks.open)("%j, which could be anywhere: first %s", async (query, url) => {
    expect(await firstOf(query)).toBe(url);
  });
  test.each(asks.elsewhere)("%j, which is elsewhere: first %s", async (query, url) => {
    expect(await firstOf(query)).toBe(url);
  });

  test("the tables tell: without the signals, and without knowing places, answers are others", async () => {
    const open = await asked("boulangerie artisanale", { gazetteer, ranking: without });
    expect(open.hits[0]!.score).toBe(open.hits[1]!.score);
    expect(await wrong(asks.region, { ranking: without })).toContain("emploi Québec");
    expect(await wrong(asks.elsewhere, { gazetteer: undefined })).toEqual(
      expect.arrayContaining(["Paris", "musées de paris", "hôtel Lyon", "restaurants tokyo"]),
    );
  });
});

describe("locality", () => {
  test("is of the page that names the place; the answer says which place was understood", async () => {
    const { hits, places } = await asked("piscine saguenay");
    expect(places).toEqual({ near: [{ written: "Saguenay", weight: 1 }], elsewhere: [] });
    const [first, second] = hits;
    expect(first!.explain).toMatchObject({ locality: 1 });
    expect(second!.explain).toMatchObject({ locality: 0 });
  });

  test("the reader's choice brings the place first, whatever the query says", async () => {
    expect(await firstOf("nouvelles", { gazetteer })).toContain("bas-fleuve");
    const { hits, places } = await asked("hockey OR garage OR musées", { gazetteer }, "Sherbrooke");
    expect(hits.find(({ url }) => url.endsWith("emplois.test/garage"))!.explain!.locality).toBe(
      0.95,
    );
    expect(places).toBeUndefined();
    const whole = await asked("boulangerie artisanale", { gazetteer }, "québec");
    const [first, second] = whole.hits.map(({ explain }) => explain!.locality);
    expect(first).toBeGreaterThan(0.9);
    expect(second).toBeLessThan(0.1);
    const unknown = await asked("boulangerie artisanale", { gazetteer }, "Atlantis");
    expect(unknown.hits.map(({ explain }) => explain!.locality)).toEqual([0, 0]);
  });

  test("no region: choices and names change nothing", async () => {
    const plain = await asked("piscine saguenay", {});
    const chosen = await asked("piscine saguenay", {}, "Saguenay");
    expect(chosen.hits).toEqual(plain.hits);
    expect(plain.hits.map(({ explain }) => explain!.locality)).toEqual([0, 0, 0]);
  });
});

describe("categories", () => {
  test("are counted like the other facets, and filter", async () => {
    const { facets, total } = await asked("clinique OR médecin OR hockey OR bibliothèque");
    const counts = new Map(facets.category);
    expect(counts.size).toBeGreaterThan(1);
    for (const [category, count] of counts) {
      const request = { query: "clinique OR médecin OR hockey OR bibliothèque", category };
      const rest = { page: 1, perPage: 50, sort: "relevance", explain: false } as const;
      const found = await search(index, { ...request, ...rest, collapse: "none" });
      expect([found.total, found.hits.length]).toEqual([count, count]);
      expect(found.facets.category).toEqual([[category, count]]);
      expect(count).toBeLessThan(total);
    }
    const none = { query: "clinique", category: "no such", page: 1, perPage: 5 } as const;
    expect((await search(index, { ...none, sort: "date", explain: false })).total).toBe(0);
  });
});
