import { expect, test } from "bun:test";
import { crawlThroughKills } from "../support/kills.ts";

const DELAY_MS = 20;

test("ten kills of everything in a crawl of 10 hosts x 200 pages", async () => {
  const run = { hosts: 10, pages: 200, delayMs: DELAY_MS, seed: 20, samples: 200 };
  const report = await crawlThroughKills({ ...run, kills: 10 });
  if (report === null) return;
  const { found: _, ...figures } = report;
  console.log(JSON.stringify(figures));
  expect(report.shortestGapMs).toBeGreaterThanOrEqual(DELAY_MS);
  expect(report.resumedMs).toHaveLength(10);
  for (const { sinceReady } of report.resumedMs) expect(sinceReady).toBeLessThan(5_000);
}, 900_000);
