import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { search } from "../../src/search/search.ts";
import { openSqliteIndex } from "../../src/search/sqlite/open.ts";
import { seeded } from "../bench/corpus.ts";
import { compareWithAll } from "../bench/search-exhaustive.ts";
import { documentOf } from "./documents.ts";

/** More documents than postings that a search reads: every word here is a common one. */
const DOCUMENTS = 18_000;
const dataDir = mkdtempSync(join(tmpdir(), "trawl-choose-"));
let index: SearchIndex;

beforeAll(async () => {
  index = await openSqliteIndex({ dataDir, log: silentLog });
  const random = seeded(3);
  const words = ["mouse", "horse", "sheep", "tiger"];
  const some = (count: number) =>
    Array.from({ length: count }, () => words[Math.floor(random() ** 2 * 4)]!).join(" ");
  let puts: Promise<unknown>[] = [];
  for (let id = 1; id <= DOCUMENTS; id++) {
    const about = some(Math.floor(random() ** 3 * 8));
    const filler = `filler ${some(1 + Math.floor(random() ** 3 * 12))} mouse horse`;
    const texts = { title: `${about} page`, headings: some(2), text: `${filler} sheep` };
    puts.push(index.put(documentOf({ id, ...texts, linkDensity: random() * 0.5 })));
    if (puts.length < 1_000) continue;
    await Promise.all(puts);
    puts = [];
  }
  await Promise.all(puts);
  // With it all changes of df are written.
  await index.close();
  index = await openSqliteIndex({ dataDir, log: silentLog });
}, 60_000);

afterAll(async () => {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("of words that all have, the best are found as if every document were scored", async () => {
  const queries = ["mouse", "sheep", "tiger", "mouse horse", "sheep tiger", "mouse sheep horse"];
  const asked = queries.map((query) => ({ kind: query, query, sort: "relevance" as const }));
  const { part } = await compareWithAll(index, dataDir, asked);
  expect(part).toBeGreaterThanOrEqual(0.95);
}, 60_000);

test("what is found of common words does not depend on how many are asked for", async () => {
  const page = (page: number, perPage: number) =>
    search(index, {
      ...{ query: "mouse tiger", page, perPage, sort: "relevance", collapse: "none" },
      explain: false,
    });
  const all = (await page(1, 100)).hits.map(({ id }) => id);
  const second = (await page(2, 50)).hits.map(({ id }) => id);
  expect(second).toEqual(all.slice(50));
});
