import { expect, test } from "bun:test";
import { crawlThroughKills } from "../support/kills.ts";

const DELAY_MS = 20;
/** So long a page may be on its way from its answer to its settle. */
const IN_HAND_MS = 5_000;

test("three kills of everything in mid-crawl: nothing lost or twice, gaps kept, back at once", async () => {
  const run = { hosts: 5, pages: 40, delayMs: DELAY_MS, seed: 4, samples: 40 };
  const [report, calm] = await Promise.all([
    crawlThroughKills({ ...run, kills: 3 }),
    crawlThroughKills({ ...run, kills: 0 }),
  ]);
  if (report === null || calm === null) return;
  const { found, ...figures } = report;
  console.log(JSON.stringify(figures));
  expect(report.shortestGapMs).toBeGreaterThanOrEqual(DELAY_MS);
  for (const { sinceReady } of report.resumedMs) expect(sinceReady).toBeLessThan(5_000);
  // At most what was in hand is asked for again, and in the end all is as without any kill.
  for (const ms of report.inHandMs) expect(ms).toBeLessThan(IN_HAND_MS);
  expect(calm.inHandMs).toEqual([]);
  expect(found).toEqual(calm.found);
}, 240_000);
