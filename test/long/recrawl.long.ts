import { expect, test } from "bun:test";
import { crawlChanging } from "../support/changing-pages.ts";

const HOUR_MS = 3_600_000;
const KINDS = [
  { name: "every 6 hours", everyMs: 6 * HOUR_MS, pages: 75, meanHoursMax: 4 },
  { name: "every day", everyMs: 24 * HOUR_MS, pages: 75, meanHoursMax: 15 },
  { name: "every 10 days", everyMs: 240 * HOUR_MS, pages: 75, meanHoursMax: 96 },
  { name: "never", everyMs: Number.POSITIVE_INFINITY, pages: 75, meanHoursMax: 0 },
];
const NEVER_VISITS_MAX = 10;

test("300 pages over 60 days: each change is found in time, and what never changes left alone", async () => {
  const found = await crawlChanging(KINDS, { days: 60 });
  console.log(JSON.stringify(Object.fromEntries(found)));
  for (const { name, meanHoursMax } of KINDS) {
    expect(found.get(name)!.meanHours).toBeLessThanOrEqual(meanHoursMax);
  }
  expect(found.get("never")!.visitsOfAPage.most).toBeLessThanOrEqual(NEVER_VISITS_MAX);
}, 900_000);
