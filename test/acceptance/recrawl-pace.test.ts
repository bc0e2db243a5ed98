import { expect, test } from "bun:test";
import { crawlChanging } from "../support/changing-pages.ts";

const HOUR_MS = 3_600_000;

/** What test/long/recrawl.long.ts asks of 300 pages over 60 days. */
test("pages that change by chance are as fresh as promised after 10 days", async () => {
  const found = await crawlChanging(
    [
      { name: "every 6 hours", everyMs: 6 * HOUR_MS, pages: 12 },
      { name: "every day", everyMs: 24 * HOUR_MS, pages: 12 },
      { name: "never", everyMs: Number.POSITIVE_INFINITY, pages: 6 },
    ],
    { days: 10, learningDays: 3 },
  );
  console.log(JSON.stringify(Object.fromEntries(found)));
  expect(found.get("every 6 hours")!.meanHours).toBeLessThanOrEqual(4);
  expect(found.get("every day")!.meanHours).toBeLessThanOrEqual(15);
  expect(found.get("never")!.visitsOfAPage.most).toBeLessThanOrEqual(6);
});
