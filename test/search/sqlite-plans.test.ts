import type { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import type { CandidateFilter } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { readRanks } from "../../src/search/sqlite/host-ranks.ts";
import { findCandidates } from "../../src/search/sqlite/load.ts";
import { openSqliteIndex } from "../../src/search/sqlite/open.ts";
import { readIds, readTexts, readTitles, readVersions } from "../../src/search/sqlite/read.ts";
import { readSimilar } from "../../src/search/sqlite/similar.ts";
import { readSummaries } from "../../src/search/sqlite/summaries.ts";
import { openForReading } from "../../src/search/sqlite/tables.ts";
import { readWords } from "../../src/search/sqlite/vocabulary.ts";
import { documentOf } from "./documents.ts";

/** Enough that choosing, newest and totals take all their ways: see select.ts. */
const DOCUMENTS = 2_500;
const dataDir = mkdtempSync(join(tmpdir(), "trawl-plans-"));
let db: Database;

beforeAll(async () => {
  const index = await openSqliteIndex({ dataDir, log: silentLog });
  for (let at = 0; at < DOCUMENTS; at += 500) {
    const puts = Array.from({ length: 500 }, (_, nth) => {
      const id = at + nth + 1;
      const text = `common usual${id % 3} word${id} ${"more ".repeat(id % 4)}`;
      return index.put(documentOf({ id, title: `Title ${id}`, text, category: "news" }));
    });
    await Promise.all(puts);
  }
  await index.close();
  db = openForReading(join(dataDir, "search.sqlite"), 1_000);
}, 60_000);
afterAll(() => {
  db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const find = (query: string, filter: Partial<CandidateFilter> = {}) =>
  findCandidates(db, parseQuery(query), { sort: "relevance", limit: 200, ...filter });

const READS: [name: string, read: () => unknown][] = [
  ["a rare word", () => find("word77")],
  ["a common word", () => find("common")],
  ["several words", () => find("common usual1 word9")],
  ["a phrase", () => find('"common usual1" -"usual2 word8"')],
  ["filters alone", () => find("site:a.example", { host: "a.example", lang: "en" })],
  ["dates", () => find("common", { from: 0, to: 2e12, category: "news" })],
  ["the newest of a common word", () => find("common", { sort: "date" })],
  ["the newest of a rare word", () => find("word78", { sort: "date" })],
  ["the newest of a site", () => find("site:a.example", { sort: "date" })],
  ["words of a beginning", () => readWords(db, "us", 6)],
  ["words like one", () => readSimilar(db, "usuak", 3)],
  ["titles of a beginning", () => readTitles(db, "title 1", 4)],
  ["texts", () => readTexts(db, [1, 2, 3])],
  ["summaries", () => readSummaries(db, [1, 2, 3])],
  ["ranks", () => readRanks(db, ["a.example"])],
  ["ids", () => readIds(db, 100, 50)],
  ["versions", () => readVersions(db, [1, 2, 3])],
];

/** Whole tables that a statement reads; lists that were handed over are none. */
function scansOf(sql: string): string[] {
  const plan = db.query<{ detail: string }, []>(`explain query plan ${sql}`).all();
  const details = plan.map(({ detail }) => detail);
  return details.filter((own) => /^SCAN (?!own\b|json_each\b|\(|.* VIRTUAL TABLE)/.test(own));
}

test.each(READS)("%s: no table is read from its beginning to its end", (_, read) => {
  const asked = new Set<string>();
  const query = db.query.bind(db);
  db.query = ((sql: string) => {
    asked.add(sql);
    return query(sql);
  }) as typeof db.query;
  try {
    read();
  } finally {
    db.query = query as typeof db.query;
  }
  expect(asked.size).toBeGreaterThan(0);
  // A few rows for the whole collection.
  asked.delete("select name, value from totals");
  for (const sql of asked) expect(scansOf(sql), sql).toEqual([]);
});

test("titles of a beginning are told once each, however many pages have the same", async () => {
  const own = mkdtempSync(join(tmpdir(), "trawl-titles-"));
  const index = await openSqliteIndex({ dataDir: own, log: silentLog });
  const titles = ["", "Sea", "sea!", "Sea of ice", "Seal", "Season", "Se", "Tea", "Séances"];
  const puts = titles.flatMap((title, at) =>
    Array.from({ length: 300 }, (_, nth) =>
      index.put(documentOf({ id: at * 300 + nth + 1, title, text: "x" })),
    ),
  );
  await Promise.all(puts);
  const told = async (prefix: string, limit: number) =>
    (await index.titles(prefix, limit)).map(({ title }) => title);
  expect(await told("sea", 4)).toEqual(["Sea", "Sea of ice", "Seal", "Séances"]);
  expect(await told("sea", 9)).toEqual(["Sea", "Sea of ice", "Seal", "Séances", "Season"]);
  expect(await told("zz", 4)).toEqual([]);
  expect(await told("\u{10ffff}", 4)).toEqual([]);
  await index.close();
  rmSync(own, { recursive: true, force: true });
}, 30_000);
