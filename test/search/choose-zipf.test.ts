import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { corpusOf, seeded } from "../bench/corpus.ts";
import { compareWithAll } from "../bench/search-exhaustive.ts";
import { askedQuery } from "../bench/search-kinds.ts";

/** Words as a language has them; `bench search --exhaustive` asks the same of any number. */
const DOCUMENTS = 20_000;
const WORDS = 60;
const QUERIES = 200;
const KINDS = new Set([
  ...["rare word", "usual word", "common word", "two words", "common and usual"],
  ...["two common words", "three words", "eight words", "eight of any"],
]);
const dataDir = mkdtempSync(join(tmpdir(), "trawl-zipf-"));
let index: SearchIndex;

beforeAll(async () => {
  index = await openIndex({ dataDir, log: silentLog });
  const make = corpusOf(WORDS);
  for (let at = 0; at < DOCUMENTS; at += 1_000) {
    await Promise.all(Array.from({ length: 1_000 }, (_, nth) => index.put(make(at + nth + 1))));
  }
  // With it all changes of df are written.
  await index.close();
  index = await openIndex({ dataDir, log: silentLog });
}, 120_000);
afterAll(async () => {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("of 200 queries of all kinds the first ten are those of every document scored", async () => {
  const random = seeded(11);
  const all = Array.from({ length: QUERIES * 2 }, (_, at) => askedQuery(at, random, DOCUMENTS));
  const asked = all.filter(({ kind }) => KINDS.has(kind)).slice(0, QUERIES);
  expect(asked).toHaveLength(QUERIES);
  const { part, byKind } = await compareWithAll(index, dataDir, asked);
  console.log(JSON.stringify({ part, byKind }));
  expect(part).toBeGreaterThanOrEqual(0.95);
  expect(byKind["eight words"]).toBeGreaterThanOrEqual(0.95);
}, 60_000);
