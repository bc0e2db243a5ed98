import { expect, test } from "bun:test";
import { blemished, lockIndex } from "../support/outage.ts";
import { Program } from "../support/program.ts";
import { startSite } from "../support/site.ts";
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

const DELAY_MS = 50;
const LOCKED_MS = 10 * 60_000;
const SIZE = { hosts: 10, pages: 100 };

test("the index locked for ten minutes: parked, nothing lost, and it heals by itself", async () => {
  const site = await startSite({ ...SIZE, links: 8, kb: 2, log: true });
  if (!site) return;
  const program = new Program({
    env: { CRAWL_DELAY_MS: `${DELAY_MS}`, FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
  });
  try {
    await program.start();
    await seedEveryHost(program, site, SIZE);
    await untilAsked(site, 300);
    const lockedAt = Date.now();
    const lock = await lockIndex(program.dataDir);
    try {
      const isParked = async () => (await statusOf(program)).crawl.state === "parked";
      await until(isParked, { timeoutMs: 20_000, what: "parking" });
      const parkedAt = Date.now();
      const seen = await new WatchedWeb(program).watch({ untilMs: lockedAt + LOCKED_MS });
      const states = new Set(seen.map(({ crawl }) => `${crawl.state} ${crawl.reason}`));
      expect([...states]).toEqual(["parked index"]);
      expect(site.accesses().filter(({ t0 }) => t0 > parkedAt + 1_000)).toEqual([]);
      const { urls } = await statusOf(program);
      expect(urls!.in_progress).toBe(0);
    } finally {
      await lock.end();
    }
    expect(await untilAskedAgain(site, Date.now())).toBeLessThan(10_000);
    expect(await blemished(program.dataDir)).toEqual({ attempts: 0, crashes: 0, failed: 0 });
    await untilOver(program, SIZE);
    await expectEachPageOnce(program, site, SIZE, 100);
    expect(shortestGap(await allAccesses(site))!.ms).toBeGreaterThanOrEqual(DELAY_MS);
  } finally {
    await program.stop();
    await site.stop();
  }
}, 900_000);
