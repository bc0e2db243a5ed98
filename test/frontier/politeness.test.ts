import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hostBackoffMs, retryDelayMs, throttleWaitMs } from "../../src/frontier/backoff.ts";
import { type Delay, delayOf, nextFetchAt, nextSlowDelay } from "../../src/frontier/politeness.ts";

const DAY_MS = 86_400_000;

describe("retryDelayMs", () => {
  test.each([
    [0, 60_000],
    [1, 120_000],
    [2, 240_000],
  ])("after %d tries is %d ms and up to a quarter more", (attempts, expected) => {
    expect(retryDelayMs(attempts, { baseMs: 60_000, random: 0 })).toBe(expected);
    expect(retryDelayMs(attempts, { baseMs: 60_000, random: 1 })).toBe(expected * 1.25);
  });
});

describe("hostBackoffMs", () => {
  test.each([
    [1, 60_000],
    [2, 120_000],
    [10, 30_720_000],
    [11, 61_440_000],
    [12, DAY_MS],
    [5_000, DAY_MS],
  ])("after %d failed turns is %d ms", (failures, expected) => {
    expect(hostBackoffMs(failures, { baseMs: 60_000, random: 0 })).toBe(expected);
  });

  test("is never more than a day, jitter and all", () => {
    expect(hostBackoffMs(11, { baseMs: 80_000, random: 1 })).toBe(DAY_MS);
  });
});

describe("throttleWaitMs", () => {
  const rows: [retryAfterMs: number | null, expected: number, why: string][] = [
    [null, 60_000, "not told: its back-off"],
    [0, 1_000, "told nothing: never within the delay"],
    [3_000, 3_000, "as told"],
    [86_400_000, 86_400_000, "as told, up to a day"],
    [10 ** 12, 86_400_000, "no longer than a day"],
  ];
  test.each(rows)("told %p waits %d (%s)", (retryAfterMs, expected) => {
    expect(throttleWaitMs({ retryAfterMs, delayMs: 1_000, backoffMs: 60_000 })).toBe(expected);
  });

  test("keeps a delay that is longer than a day", () => {
    const wait = { retryAfterMs: 5_000, delayMs: 2 * DAY_MS, backoffMs: 60_000 };
    expect(throttleWaitMs(wait)).toBe(2 * DAY_MS);
  });
});

describe("delayOf", () => {
  type Claims = [robots: number | null, host: number | null, slow: number | null];
  const rows: [claims: Claims, expected: Delay][] = [
    [[null, null, null], { ms: 1_000, source: "setting" }],
    [[120_000, null, null], { ms: 120_000, source: "robots" }],
    [[120_000, 300_000, null], { ms: 300_000, source: "host" }],
    [[2_000, 1_500, 4_000], { ms: 4_000, source: "slow" }],
    [[500, 0, 10], { ms: 1_000, source: "setting" }],
    [[1_000, 1_000, 1_000], { ms: 1_000, source: "setting" }],
  ];
  test.each(rows)("%j is %j", ([robotsDelayMs, hostDelayMs, slowDelayMs], expected) => {
    const claims = { crawlDelayMs: 1_000, robotsDelayMs, hostDelayMs, slowDelayMs };
    expect(delayOf(claims)).toEqual(expected);
  });
});

describe("nextSlowDelay", () => {
  type Answer = [tookMs: number, erred: boolean];
  const rows: [slow: number | null, answer: Answer, expected: number | null, why: string][] = [
    [null, [50, false], null, "a good host"],
    [null, [1_999, false], null, "not slow yet"],
    [null, [5_000, false], 5_000, "as long as the answer took"],
    [null, [900_000, false], 60_000, "no longer than a minute"],
    [null, [50, true], 2_000, "an error doubles the delay"],
    [2_000, [50, true], 4_000, "and again"],
    [40_000, [50, true], 60_000, "no longer than a minute"],
    [8_000, [50, false], 4_000, "a good answer halves it"],
    [2_000, [50, false], null, "down to the delay"],
    [8_000, [6_000, false], 6_000, "but not below what the answer took"],
  ];
  test.each(rows)("from %j after %j: %j (%s)", (slow, [tookMs, erred], expected) => {
    expect(nextSlowDelay(slow, 1_000, { tookMs, erred })).toBe(expected);
  });

  test("without a configured delay errors still open a gap", () => {
    expect(nextSlowDelay(null, 0, { tookMs: 5, erred: true })).toBe(1_000);
    expect(nextSlowDelay(null, 0, { tookMs: 5, erred: false })).toBeNull();
  });

  test("never shortens the gap below the configured one, and goes once the host is well", () => {
    const answers = fc.array(fc.record({ tookMs: fc.nat(100_000), erred: fc.boolean() }));
    fc.assert(
      fc.property(answers, fc.nat(200_000), (load, configuredMs) => {
        let slow: number | null = null;
        for (const answer of load) {
          slow = nextSlowDelay(slow, configuredMs, answer);
          if (slow !== null) expect(slow).toBeGreaterThan(configuredMs);
        }
        for (let i = 0; i < 17; i++) {
          slow = nextSlowDelay(slow, configuredMs, { tookMs: 1, erred: false });
        }
        expect(slow).toBeNull();
      }),
    );
  });
});

test("the gap runs from the end of the answer; of several requests at once, from the start", () => {
  const answer = { startedAt: 10_000, endedAt: 12_000 };
  expect(nextFetchAt(answer, 1_000)).toBe(13_000);
  expect(nextFetchAt(answer, 1_000, 3)).toBe(11_000);
});
