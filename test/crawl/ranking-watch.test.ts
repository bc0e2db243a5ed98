import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/clock.ts";
import { dropHostFactor, saveWeights, setHostFactor } from "../../src/crawl/change-ranking.ts";
import { RankingWatch } from "../../src/crawl/ranking-watch.ts";
import { inEffect, NOTHING_SAVED, readLastRanking } from "../../src/crawl/saved-ranking.ts";
import { readSavedRanking } from "../../src/db/ranking.ts";
import { silentLog } from "../../src/log.ts";
import { DEFAULT_WEIGHTS, type Ranking, readRanking, SIGNAL_NAMES } from "../../src/ranking.ts";
import { HOST_FACTORS } from "../../src/search/host-wishes.ts";
import { testDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";

const database = await testDatabase();
const { db, sql } = database;
const dataDir = mkdtempSync(join(tmpdir(), "trawl-watch-"));
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const CONFIGURED = readRanking("authority:0.8,freshness:off").ranking;
/** Two seconds are ten milliseconds here. */
const clock = {
  now: () => systemClock.now(),
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 200, signal),
};

const newWatch = (dir = dataDir) =>
  new RankingWatch({ db, clock, log: silentLog, dataDir: dir, configured: CONFIGURED });

describe("the setting", () => {
  test("names signals with a weight, or off and on", () => {
    expect(readRanking(" authority : 0.8, freshness:off ,rules:on").ranking).toEqual({
      authority: { enabled: true, weight: 0.8 },
      freshness: { enabled: false, weight: DEFAULT_WEIGHTS.freshness },
      rules: { enabled: true, weight: 1 },
    });
    expect(readRanking("")).toEqual({ ranking: {}, problems: [] });
  });

  test("tells all its problems together", () => {
    const given = "authority:9,speed:1,freshness,quality:1,quality:2,text:2,rules:-1,locality:1e3";
    const { problems } = readRanking(given);
    const named = ["authority:9", "speed:1", "freshness", "quality", "text", "rules:-1", "1e3"];
    expect(problems).toHaveLength(named.length);
    for (const [at, name] of named.entries()) expect(problems[at]).toContain(name);
  });
});

describe("the ranking in effect", () => {
  test("is the setting below what was saved; every process takes it within seconds", async () => {
    const [one, other] = [newWatch(), newWatch()];
    await Promise.all([one.start(), other.start()]);
    expect(one.current.ranking).toEqual(CONFIGURED);
    const deps = { db, clock, configured: CONFIGURED, watch: one };
    const all = Object.fromEntries(
      SIGNAL_NAMES.map((name) => [name, CONFIGURED[name] ?? usual(name)]),
    ) as Ranking;
    const wanted = { ...all, freshness: { enabled: true, weight: 2 } };
    expect(await saveWeights(deps, wanted, "ada")).toEqual({ kind: "done" });
    // Seen at once by who saved it. What is as configured is not kept.
    expect(one.current.ranking.freshness).toEqual({ enabled: true, weight: 2 });
    expect((await readSavedRanking(db)).signals.map(({ signal }) => signal)).toEqual(["freshness"]);
    expect(await setHostFactor(deps, "a.example", "raise", "ada")).toEqual({ kind: "done" });
    await until(() => other.current.ranking.freshness?.weight === 2);
    await until(() => other.current.factors.get("a.example") === HOST_FACTORS.raise);
    // From the shell, without the store.
    const last = inEffect(CONFIGURED, await readLastRanking(dataDir));
    expect(last).toEqual(one.current);
    await saveWeights(deps, {}, "ada");
    expect(await dropHostFactor(deps, "a.example", "ada")).toEqual({ kind: "done" });
    expect(await dropHostFactor(deps, "a.example", "ada")).toEqual({ kind: "missing" });
    expect(one.current).toEqual({ ranking: CONFIGURED, factors: new Map() });
    await Promise.all([one.stop(), other.stop()]);
    expect(readdirSync(dataDir)).toEqual(["ranking.json"]);
  });

  test("stays as last known while the store is away, over a restart too", async () => {
    const watch = newWatch();
    await watch.start();
    const deps = { db, clock, configured: CONFIGURED, watch };
    await saveWeights(deps, { authority: { enabled: true, weight: 3 } }, "ada");
    await sql`alter table ranking_signals rename to ranking_signals_away`;
    await watch.refresh().catch(() => {});
    const restarted = newWatch();
    await restarted.start();
    for (const own of [watch, restarted]) expect(own.current.ranking.authority?.weight).toBe(3);
    await sql`alter table ranking_signals_away rename to ranking_signals`;
    await saveWeights(deps, {}, "ada");
    await until(() => restarted.current.ranking.authority?.weight === 0.8);
    await Promise.all([watch.stop(), restarted.stop()]);
  });

  test.each(["", "{", "null", "[]", '{"ranking":{"authority":{"enabled":true,"weight":1e9}}}'])(
    "a damaged file says nothing: %j",
    async (text) => {
      const dir = mkdtempSync(join(tmpdir(), "trawl-watch-"));
      writeFileSync(join(dir, "ranking.json"), text);
      expect(await readLastRanking(dir)).toEqual(NOTHING_SAVED);
      rmSync(dir, { recursive: true });
    },
  );

  test("a suffix that many share is no site", async () => {
    const watch = newWatch();
    const deps = { db, clock, configured: {}, watch };
    expect(await setHostFactor(deps, "co.uk", "raise", "ada")).toMatchObject({ kind: "refused" });
  });
});

const usual = (name: (typeof SIGNAL_NAMES)[number]) => ({
  enabled: true,
  weight: DEFAULT_WEIGHTS[name],
});
