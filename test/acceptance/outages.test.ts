import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { blemished, killPostgresOf, lockIndex, postmasterOf } from "../support/outage.ts";
import { Program } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import { until } from "../support/until.ts";
import { WatchedWeb } from "../support/watched-web.ts";
import {
  allAccesses,
  expectEachPageOnce,
  seedEveryHost,
  shortestGap,
  statusOf,
  untilAsked,
  untilAskedAgain,
  untilOver,
} from "../support/whole-crawl.ts";

const DELAY_MS = 100;
const SIZE = { hosts: 5, pages: 60 };
const LOCKED_MS = 20_000;
const site = await startSite({ ...SIZE, links: 8, kb: 2, log: true });

describe.skipIf(!site)("one crawl whose parts go down and come back", () => {
  const at = site as Site;
  const program = new Program({
    env: { CRAWL_DELAY_MS: `${DELAY_MS}`, FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
  });

  beforeAll(async () => {
    await program.start();
    await seedEveryHost(program, at, SIZE);
  }, 60_000);

  afterAll(async () => {
    await program.stop();
    await at.stop();
  }, 30_000);

  test("kill -9 of the program alone: the next one adopts the Postgres that lives on", async () => {
    await untilAsked(at, 20);
    const { pid } = postmasterOf(program.dataDir);
    program.kill("SIGKILL");
    await program.exited;
    const killedAt = Date.now();
    await program.start();
    expect(postmasterOf(program.dataDir).pid).toBe(pid);
    await untilAskedAgain(at, killedAt);
  }, 60_000);

  test("the index locked by another process: parked, nothing held against a page", async () => {
    await untilAsked(at, 60);
    const before = await blemished(program.dataDir);
    const lockedAt = Date.now();
    const lock = await lockIndex(program.dataDir);
    const web = new WatchedWeb(program);
    try {
      const isParked = async () => (await statusOf(program)).crawl.state === "parked";
      await until(isParked, { timeoutMs: 15_000, what: "parking" });
      const parkedAt = Date.now();
      const seen = await web.watch({ untilMs: lockedAt + LOCKED_MS });
      expect(new Set(seen.map(({ crawl }) => `${crawl.state} ${crawl.reason}`))).toEqual(
        new Set(["parked index"]),
      );
      const asked = at.accesses().filter(({ t0 }) => t0 > parkedAt + 1_000);
      expect(asked).toEqual([]);
    } finally {
      await lock.end();
    }
    const openedAt = Date.now();
    await untilAskedAgain(at, openedAt);
    const after = await blemished(program.dataDir);
    expect({ attempts: after.attempts, failed: after.failed }).toEqual({ attempts: 0, failed: 0 });
    expect(after.crashes).toBeLessThanOrEqual(before.crashes);
    expect((await statusOf(program)).parts.index).toMatch(/up|slow/);
  }, 60_000);

  test("kill -9 of Postgres alone: said, search answers on, and it is started again", async () => {
    const { pid } = postmasterOf(program.dataDir);
    const web = new WatchedWeb(program);
    let downs = 0;
    // It is back within a second: killed again until the outage was seen.
    await until(
      async () => {
        killPostgresOf(program.dataDir);
        const { parts, search, degraded } = await web.look();
        expect(search).toBe(200);
        if (parts.postgres === "down" && degraded?.includes("store")) downs++;
        return downs >= 3;
      },
      { timeoutMs: 30_000, what: "an outage" },
    );
    const killedAt = Date.now();
    await untilAskedAgain(at, killedAt);
    expect(postmasterOf(program.dataDir).pid).not.toBe(pid);
    const isWell = async () => (await statusOf(program)).parts.postgres !== "down";
    await until(isWell, { what: "Postgres" });
  }, 60_000);

  test("in the end every page is there, once, and nobody was asked too soon", async () => {
    await untilOver(program, SIZE);
    await expectEachPageOnce(program, at, SIZE);
    expect(shortestGap(await allAccesses(at))!.ms).toBeGreaterThanOrEqual(DELAY_MS);
  }, 120_000);
});
