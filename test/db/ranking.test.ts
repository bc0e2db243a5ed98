import { afterAll, describe, expect, test } from "bun:test";
import { listAudit } from "../../src/db/audit.ts";
import {
  addQuerySums,
  DAY_QUERIES_MAX,
  forgetQueries,
  listQuerySums,
} from "../../src/db/query-stats.ts";
import {
  HOST_FACTORS_MAX,
  readSavedRanking,
  removeHostFactor,
  saveHostFactor,
  saveRanking,
} from "../../src/db/ranking.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();
const { db, sql } = database;
afterAll(() => database.close());

const AT = new Date("2026-03-01T12:00:00Z");

describe("a saved ranking", () => {
  test("takes the place of the one before, with who saved it", async () => {
    await saveRanking(db, { authority: { enabled: true, weight: 0.8 } }, "ada", AT);
    await saveRanking(db, { freshness: { enabled: false, weight: 0.3 } }, "bob", AT);
    const { signals } = await readSavedRanking(db);
    expect(signals).toEqual([
      { signal: "freshness", enabled: false, weight: 0.3, changedBy: "bob", changedAt: AT },
    ]);
    await saveRanking(db, {}, "ada", AT);
    expect((await readSavedRanking(db)).signals).toEqual([]);
    const { rows } = await listAudit(db, { actor: null, action: null, page: 1, perPage: 10 });
    expect(rows.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      "ada ranking.reset",
      "bob ranking.saved",
      "ada ranking.saved",
    ]);
    expect(rows[1]!.detail).toEqual({ freshness: { enabled: false, weight: 0.3 } });
  });

  test("of many who save at once one stands whole", async () => {
    const weights = Array.from({ length: 8 }, (_, at) => at / 2);
    await Promise.all(
      weights.map((weight) => {
        const own = { enabled: true, weight };
        return saveRanking(db, { authority: own, quality: own, locality: own }, "ada", AT);
      }),
    );
    const { signals } = await readSavedRanking(db);
    expect(signals).toHaveLength(3);
    expect(new Set(signals.map(({ weight }) => weight)).size).toBe(1);
  });
});

describe("hosts that are raised and lowered", () => {
  test("are set, changed and removed, and written down", async () => {
    const set = (factor: "raise" | "lower") =>
      saveHostFactor(db, { host: "a.example", factor }, "ada", AT);
    expect([await set("raise"), await set("lower")]).toEqual([true, true]);
    expect((await readSavedRanking(db)).hosts).toMatchObject([
      { host: "a.example", factor: "lower", changedBy: "ada" },
    ]);
    expect(await removeHostFactor(db, "a.example", "ada")).toBe(true);
    expect(await removeHostFactor(db, "a.example", "ada")).toBe(false);
    const query = { actor: null, action: "ranking.host_removed", page: 1, perPage: 10 };
    expect((await listAudit(db, query)).rows).toHaveLength(1);
  });

  test("are no more than there may be, however many are set at once", async () => {
    const hosts = Array.from({ length: HOST_FACTORS_MAX + 5 }, (_, at) => `h${at}.example`);
    const set = (host: string) => saveHostFactor(db, { host, factor: "raise" }, "ada", AT);
    const saved = await Promise.all(hosts.map(set));
    expect(saved.filter(Boolean)).toHaveLength(HOST_FACTORS_MAX);
    const { hosts: rows } = await readSavedRanking(db);
    expect(rows).toHaveLength(HOST_FACTORS_MAX);
    expect(await saveHostFactor(db, { host: rows[0]!.host, factor: "lower" }, "ada", AT)).toBe(
      true,
    );
  });
});

describe("sums of queries", () => {
  const sum = (query: string, more = {}) => ({
    ...{ query, requests: 3, empty: 0, slow: 0, slowestMs: 5 },
    ...more,
  });

  test("add up over processes and days, and lead to three lists", async () => {
    await addQuerySums(db, "2026-03-01", [sum("tide"), sum('a "b" \\c', { empty: 3 })]);
    await addQuerySums(db, "2026-03-01", [sum("tide", { slow: 2, slowestMs: 300 })]);
    await addQuerySums(db, "2026-03-02", [sum("tide", { requests: 1 })]);
    const { top, empty, slow } = await listQuerySums(db, 10);
    expect(top).toEqual([
      { query: "tide", requests: 7, empty: 0, slow: 2, slowestMs: 300 },
      { query: 'a "b" \\c', requests: 3, empty: 3, slow: 0, slowestMs: 5 },
    ]);
    expect(empty.map(({ query }) => query)).toEqual(['a "b" \\c']);
    expect(slow.map(({ query }) => query)).toEqual(["tide"]);
    await forgetQueries(db, new Date("2026-03-02T05:00:00Z"));
    expect((await listQuerySums(db, 10)).top).toEqual([
      { query: "tide", requests: 1, empty: 0, slow: 0, slowestMs: 5 },
    ]);
  });

  test("a day has no more of them than it may; those it has go on", async () => {
    const many = Array.from({ length: DAY_QUERIES_MAX }, (_, at) => sum(`query ${at}`));
    await addQuerySums(db, "2026-03-05", many);
    await addQuerySums(db, "2026-03-05", [sum("one more"), sum("query 7")]);
    const rows = await sql`select query, requests from query_stats where day = '2026-03-05'
      and query in ('one more', 'query 7')`;
    expect([...rows]).toEqual([{ query: "query 7", requests: 6 }]);
  });
});
