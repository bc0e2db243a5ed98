import { afterAll, expect, test } from "bun:test";
import { QueryLog } from "../../src/crawl/query-log.ts";
import { listQuerySums } from "../../src/db/query-stats.ts";
import { silentLog } from "../../src/log.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();
const { db, sql } = database;
afterAll(() => database.close());

let now = Date.parse("2026-03-01T12:00:00Z");
const clock = { now: () => now, sleep: async () => {} };
const newLog = () => new QueryLog({ db, clock, log: silentLog });
const ANSWER = { total: 4, tookMs: 12 };

const written = async () => {
  const { top } = await listQuerySums(db, 100);
  return Object.fromEntries(top.map(({ query, requests }) => [query, requests]));
};

test("what was asked once or twice never reaches the store, what is asked often does", async () => {
  const log = newLog();
  for (const query of ["rare", "rare", "Common  Words", "common words", " common words "]) {
    log.record(query, ANSWER, false);
  }
  await log.flush();
  expect(await written()).toEqual({ "common words": 3 });
  log.record("common words", { total: 0, tookMs: 250 }, false);
  await log.flush();
  await log.flush();
  const { top, empty, slow } = await listQuerySums(db, 10);
  expect(top[0]).toMatchObject({ requests: 4, empty: 1, slow: 1, slowestMs: 250 });
  expect([empty.length, slow.length]).toEqual([1, 1]);
  log.record("rare", ANSWER, false);
  await log.flush();
  expect((await written()).rare).toBe(3);
});

test.each(["ada@example.org", "call 418 555 0123", "4111 1111 1111 1111", "x".repeat(101), "  "])(
  "%s is never written down",
  async (query) => {
    const log = newLog();
    for (let times = 0; times < 5; times++) log.record(query, ANSWER, false);
    await log.flush();
    const [row] = await sql`select count(*)::int as n from query_stats
      where query = ${query.trim().toLowerCase()}`;
    expect(row?.n).toBe(0);
  },
);

test("of what is typed the end counts, and not its beginnings", async () => {
  const log = newLog();
  for (let times = 0; times < 3; times++) {
    for (const typed of ["bar", "barra", "barrage"]) log.record(typed, ANSWER, true);
    now += 4_000;
    await log.flush();
  }
  const found = await written();
  expect([found.bar, found.barra, found.barrage]).toEqual([undefined, undefined, 3]);
});

test("a store that is away loses nothing that was counted", async () => {
  const log = newLog();
  for (let times = 0; times < 3; times++) log.record("patience", ANSWER, false);
  await sql`alter table query_stats rename to query_stats_away`;
  await log.flush();
  await sql`alter table query_stats_away rename to query_stats`;
  log.record("patience", ANSWER, false);
  await log.flush();
  expect((await written()).patience).toBe(4);
});
