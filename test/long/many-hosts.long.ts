import { expect, test } from "bun:test";
import { crawlManyHosts, growth } from "../support/many-hosts.ts";

const TURNS = 256;
const HOUR_MS = 3_600_000;

test(
  "18: 100,000 one-page hosts, all of them: no actor without a turn, memory flat",
  async () => {
    const all = { hosts: 100_000, pages: 100_000, maxMs: HOUR_MS, turns: TURNS };
    const report = await crawlManyHosts(all);
    if (report === null) return;
    console.log(JSON.stringify(report));
    expect(report.pages).toBe(all.pages);
    expect(report.actorsMax).toBeLessThanOrEqual(TURNS);
    expect(growth(report.heapMb)).toBeLessThan(30);
    expect(growth(report.residentMb)).toBeLessThan(100);
  },
  HOUR_MS,
);
