import { expect, test } from "bun:test";
import { areStamped, isBelieved } from "../../src/frontier/lastmod-trust.ts";

test.each([
  [0, 0, true, "nothing is known of it"],
  [0, 3, true, "too few were judged"],
  [0, 4, false, "none was right"],
  [1, 3, false, "one in four was right"],
  [1, 2, true, "too few"],
  [2, 4, true, "one in three"],
  [30, 2, true, "most were right"],
])("%i right, %i wrong: %p, for %s", (right, wrong, believed) => {
  expect(isBelieved({ right, wrong })).toBe(believed);
});

test("dates of the moment at which they are asked for are stamps", () => {
  const now = Date.parse("2026-11-30T12:00:30Z");
  const all = (at: number, count = 5) => Array.from({ length: count }, () => at);
  expect(areStamped(all(now - 30_000), now)).toBe(true);
  expect(areStamped(all(now - 90_000), now)).toBe(false);
  expect(areStamped([...all(now), now - 3_600_000], now)).toBe(false);
  expect(areStamped(all(now, 4), now)).toBe(false);
});
