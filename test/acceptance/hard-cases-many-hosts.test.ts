import { expect, test } from "bun:test";
import { crawlManyHosts, growth } from "../support/many-hosts.ts";

const TURNS = 64;
const MANY = { hosts: 100_000, pages: 4_000, maxMs: 25_000, turns: TURNS };

test("18: 100,000 one-page hosts, some thousands crawled: no actor without a turn, memory flat", async () => {
  const report = await crawlManyHosts(MANY);
  if (report === null) return;
  console.log(JSON.stringify(report));
  expect(report.pages).toBeGreaterThan(300);
  expect(report.actorsMax).toBeGreaterThan(1);
  expect(report.actorsMax).toBeLessThanOrEqual(TURNS);
  expect(growth(report.heapMb)).toBeLessThan(15);
  expect(growth(report.residentMb)).toBeLessThan(60);
}, 120_000);
