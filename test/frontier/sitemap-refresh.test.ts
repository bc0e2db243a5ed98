import { describe, expect, test } from "bun:test";
import { sitemapPriority } from "../../src/frontier/priority.ts";
import {
  nextLook,
  type SitemapLook,
  type SitemapTimes,
} from "../../src/frontier/sitemap-refresh.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const config = { recrawlMinMs: HOUR_MS, recrawlMaxMs: 30 * DAY_MS, retryBaseMs: 60_000 };
const SAME: SitemapLook = { kind: "read", changed: false };
const CHANGED: SitemapLook = { kind: "read", changed: true };

/** Hours between the looks of a sitemap under a clock of its own. */
function waits(kind: SitemapTimes["kind"], looks: readonly SitemapLook[], random = 0.5): number[] {
  let times: SitemapTimes = { kind, intervalS: null, failures: 0 };
  let now = Date.parse("2026-01-01T00:00:00Z");
  return looks.map((look) => {
    const { nextFetchAt, ...next } = nextLook(times, look, { now, random, config });
    const hours = (nextFetchAt - now) / HOUR_MS;
    times = { kind, ...next };
    now = nextFetchAt;
    return Math.round(hours * 100) / 100;
  });
}

const times = (count: number, look: SitemapLook) => Array.from({ length: count }, () => look);

describe("a sitemap is asked for again", () => {
  test("in a day, then by how it changes, within the bounds of pages", () => {
    expect(waits("sitemap", [CHANGED, SAME, SAME, CHANGED, CHANGED])).toEqual([
      24, 36, 54, 27, 13.5,
    ]);
    expect(waits("sitemap", times(30, SAME), 1).at(-1)).toBe(30 * 24);
    expect(waits("sitemap", times(30, CHANGED), 0).at(-1)).toBe(1);
  });

  test("in a week when it is gone, then twice as long each time, to 90 days", () => {
    const gone = waits("sitemap", times(7, { kind: "gone" }));
    expect(gone.map((hours) => hours / 24)).toEqual([7, 14, 28, 56, 90, 90, 90]);
  });

  test("soon after a trouble, then ever later, to a day; a success forgets it", () => {
    const failed = waits("sitemap", times(14, { kind: "failed" }), 0);
    expect(failed.slice(0, 3).map((hours) => Math.round(hours * 60))).toEqual([1, 2, 4]);
    expect(failed.at(-1)).toBe(24);
    expect(waits("sitemap", [CHANGED, { kind: "failed" }, SAME], 0.5)[2]).toBe(36);
  });

  test("not before the server said", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    const notBefore = now + 5 * HOUR_MS;
    const row = { kind: "sitemap", intervalS: null, failures: 0 } as const;
    const next = nextLook(row, { kind: "failed", notBefore }, { now, random: 0, config });
    expect(next.nextFetchAt).toBe(notBefore);
  });
});

describe("a feed is asked for again", () => {
  test("in an hour while it changes, in a day when it does not", () => {
    expect(waits("feed", times(4, CHANGED), 0)).toEqual([1, 1, 1, 1]);
    expect(waits("feed", times(12, SAME), 1).at(-1)).toBe(24);
    expect(waits("feed", times(40, SAME), 1).at(-1)).toBe(24);
  });

  test("of 60 days one that never changes is asked for some 70 times", () => {
    let hours = 0;
    let looks = 0;
    for (const wait of waits("feed", times(200, SAME), Math.random())) {
      hours += wait;
      if (hours < 60 * 24) looks++;
    }
    expect(looks).toBeLessThan(80);
  });
});

test.each([
  [null, 110],
  [0.5, 110],
  [0, 106],
  [1, 114],
  [0.8, 112],
])("what a sitemap says of %p is a priority of %d", (said, priority) => {
  expect(sitemapPriority(said)).toBe(priority);
});
