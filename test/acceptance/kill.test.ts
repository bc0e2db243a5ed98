import { expect, test } from "bun:test";
import { crawlThroughKills } from "../support/kills.ts";

const DELAY_MS = 20;

test("three kills of everything in mid-crawl: nothing lost or twice, gaps kept, back at once", async () => {
  const size = { hosts: 5, pages: 40, delayMs: DELAY_MS };
  const report = await crawlThroughKills({ ...size, kills: 3, seed: 4, samples: 40 });
  if (report === null) return;
  console.log(JSON.stringify(report));
  expect(report.shortestGapMs).toBeGreaterThanOrEqual(DELAY_MS);
  for (const { sinceReady } of report.resumedMs) expect(sinceReady).toBeLessThan(5_000);
}, 180_000);
