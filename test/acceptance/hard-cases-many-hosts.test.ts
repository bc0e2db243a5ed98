import { expect, test } from "bun:test";
import { crawlManyHosts } from "../support/many-hosts.ts";

const TURNS = 64;

test("18: 100,000 one-page hosts: no actor without a turn, memory flat (4,000 of them)", async () => {
  const report = await crawlManyHosts({ hosts: 100_000, pages: 4_000, turns: TURNS });
  if (report === null) return;
  console.log(JSON.stringify(report));
  expect(report.actorsMax).toBeGreaterThan(1);
  expect(report.actorsMax).toBeLessThanOrEqual(TURNS);
  const half = report.megabytes.slice(report.megabytes.length / 2);
  expect(Math.max(...half) - half[0]!).toBeLessThan(40);
}, 180_000);
