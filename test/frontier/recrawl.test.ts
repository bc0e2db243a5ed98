import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  DONE_REVISIT_MS,
  dueAfter,
  goneRevisitMs,
  MISSED_REVISIT_MS,
  nextFailedInterval,
  nextInterval,
  TLS_REVISIT_MS,
} from "../../src/frontier/recrawl.ts";

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const config = { recrawlMinMs: HOUR_S * 1000, recrawlMaxMs: 30 * DAY_S * 1000 };

describe("nextInterval", () => {
  const rows: [last: number | null, changed: boolean, expected: number, why: string][] = [
    [null, false, DAY_S, "the first is a day"],
    [null, true, DAY_S, "the first is a day"],
    [DAY_S, true, DAY_S / 2, "changed: half"],
    [DAY_S, false, DAY_S * 1.5, "unchanged: half as much again"],
    [HOUR_S, true, HOUR_S, "never below the minimum"],
    [25 * DAY_S, false, 30 * DAY_S, "never above the maximum"],
    [3, false, HOUR_S, "a new minimum holds for old rows"],
    [400 * DAY_S, true, 30 * DAY_S, "a new maximum too"],
  ];
  test.each(rows)("after %p, changed %p: %d (%s)", (last, changed, expected) => {
    expect(nextInterval(last, changed, config)).toBe(expected);
  });

  test("with bounds under a second is a whole second", () => {
    expect(nextInterval(null, false, { recrawlMinMs: 1, recrawlMaxMs: 10 })).toBe(1);
  });
});

test("an interval is spread by 10 % to either side, inside the bounds", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: HOUR_S, max: 30 * DAY_S }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (intervalS, random) => {
        const waitS = (dueAfter(1_000_000, intervalS, random, config) - 1_000_000) / 1000;
        expect(waitS).toBeGreaterThanOrEqual(Math.max(HOUR_S, intervalS * 0.9) - 0.001);
        expect(waitS).toBeLessThanOrEqual(Math.min(30 * DAY_S, intervalS * 1.1) + 0.001);
      },
    ),
  );
  expect(dueAfter(0, DAY_S, 0, config)).toBe(77_760_000);
  expect(dueAfter(0, DAY_S, 1, config)).toBe(95_040_000);
});

test("a failed URL with a document is tried after 7 days, then twice as long, up to 90", () => {
  const days: number[] = [];
  for (let last: number | null = null; days.length < 6; days.push(last / DAY_S)) {
    last = nextFailedInterval(last);
  }
  expect(days).toEqual([7, 14, 28, 56, 90, 90]);
});

test("a page that left the index is asked for after 7 days, then twice as long, up to 90", () => {
  // A 410 tells at once, a 404 the second time.
  const days = [1, 2, 3, 4, 5, 6, 7, 1000].map((misses) => goneRevisitMs(misses) / DAY_S / 1000);
  expect(days).toEqual([7, 7, 14, 28, 56, 90, 90, 90]);
});

test("the other revisits are the specification's", () => {
  expect([DONE_REVISIT_MS, TLS_REVISIT_MS, MISSED_REVISIT_MS]).toEqual([
    30 * DAY_S * 1000,
    DAY_S * 1000,
    DAY_S * 1000,
  ]);
});
