import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { type HostWishes, NO_WISHES } from "../../src/search/host-wishes.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { type SearchResults, search } from "../../src/search/search.ts";
import { openSqliteIndex } from "../../src/search/sqlite/open.ts";
import { documentOf } from "./documents.ts";

const FRENCH = 300;
const ENGLISH = 60;
const ENGLISH_HOSTS = 6;
const dataDir = mkdtempSync(join(tmpdir(), "trawl-wishes-"));
let index: SearchIndex;

/** École on many hosts, school on a few: more of both than are candidates. */
beforeAll(async () => {
  index = await openSqliteIndex({ dataDir, log: silentLog });
  const french = Array.from({ length: FRENCH }, (_, at) => {
    const text = at % 2 ? "école primaire du village" : "primaire, la vieille école du lac";
    return documentOf({ id: at + 1, lang: "fr", host: `fr${at % 50}.example`, text });
  });
  const english = Array.from({ length: ENGLISH }, (_, at) => {
    const host = `en${at % ENGLISH_HOSTS}.example`;
    return documentOf({ id: FRENCH + at + 1, lang: "en", host, text: `the school number ${at}` });
  });
  await Promise.all([...french, ...english].map((own) => index.put(own)));
  await index.close();
  index = await openSqliteIndex({ dataDir, log: silentLog });
}, 60_000);

afterAll(async () => {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const found = (query: string, wishes: Partial<HostWishes> = {}): Promise<SearchResults> => {
  const shape = { page: 1, perPage: 10, sort: "relevance", collapse: "none" } as const;
  const request = { query, ...shape, wishes: { ...NO_WISHES, ...wishes }, explain: false };
  return search(index, request);
};

test("what a blocked host has by a word of the same meaning is told as hidden", async () => {
  const all = await found("école");
  expect(all.total).toBe(FRENCH + ENGLISH);
  const left = await found("école", { blocked: new Set(["en0.example", "elsewhere.example"]) });
  expect(left.hidden).toEqual({ count: ENGLISH / ENGLISH_HOSTS, hosts: ["en0.example"] });
  expect(left.total + left.hidden!.count!).toBe(all.total);
});

test("hidden is what has the quoted words as they are quoted", async () => {
  const phrase = '"école primaire"';
  const all = await found(phrase);
  const blocked = new Set(["fr1.example", "fr2.example"]);
  const left = await found(phrase, { blocked });
  expect(left.hidden?.hosts).toEqual(["fr1.example"]);
  expect(left.total + left.hidden!.count!).toBe(all.total);
});
