import { describe, expect, test } from "bun:test";
import type { TurnEnd } from "../../src/actors/host.ts";
import { type HostFacts, hostAfter } from "../../src/frontier/host-end.ts";

const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000;
const facts: HostFacts = {
  answered: false,
  failures: 0,
  nextFetchAt: NOW + 1_000,
  delayMs: 1_000,
  now: NOW,
  random: 0,
  retryBaseMs: 60_000,
  deadAfter: 10,
};
const throttled = (retryAfterMs: number | null): TurnEnd => ({
  kind: "throttled",
  status: 429,
  retryAfterMs,
});

/** end, facts, expected: state, ms from now to the next turn, failures; why */
const ROWS: [TurnEnd, Partial<HostFacts>, [string, number, number], string][] = [
  [{ kind: "exhausted" }, {}, ["active", 1_000, 0], "the gap is kept across turns"],
  [{ kind: "budget" }, { nextFetchAt: 0 }, ["active", 0, 0], "no gap: at once"],
  [{ kind: "budget" }, { failures: 3 }, ["active", 1_000, 3], "nothing answered, nothing forgiven"],
  [{ kind: "budget" }, { failures: 3, answered: true }, ["active", 1_000, 0], "an answer revives"],
  [{ kind: "long gap" }, { nextFetchAt: NOW + 120_000 }, ["active", 120_000, 0], "Crawl-delay 120"],
  [{ kind: "no slot" }, {}, ["active", 1_000, 0], "soon again"],
  [{ kind: "part down", part: "index" }, {}, ["active", 1_000, 0], "our fault, not the host's"],
  [throttled(null), {}, ["backing_off", 60_000, 1], "429 without Retry-After: back-off"],
  [throttled(null), { failures: 2 }, ["backing_off", 240_000, 3], "back-off doubles"],
  [throttled(null), { failures: 2, answered: true }, ["backing_off", 60_000, 1], "from the start"],
  [throttled(0), {}, ["backing_off", 1_000, 1], "never within the delay"],
  [throttled(3_000), {}, ["backing_off", 3_000, 1], "as told"],
  [throttled(3_000), { failures: 1 }, ["backing_off", 60_000, 2], "not true: back-off begins"],
  [throttled(3_000), { failures: 4 }, ["backing_off", 480_000, 5], "and doubles"],
  [throttled(900_000), { failures: 4 }, ["backing_off", 900_000, 5], "never less than told"],
  [throttled(3_000), { failures: 4, answered: true }, ["backing_off", 3_000, 1], "believed anew"],
  [throttled(DAY_MS), {}, ["backing_off", DAY_MS, 1], "a day is honoured"],
  [throttled(99 * DAY_MS), {}, ["backing_off", DAY_MS, 1], "up to a day"],
  [{ kind: "unreachable", why: "dns" }, {}, ["backing_off", 60_000, 1], "put off"],
  [{ kind: "unreachable", why: "dns" }, { failures: 9 }, ["dead", DAY_MS, 10], "asked daily"],
  [
    { kind: "waiting for robots", why: "503", retryAt: NOW + 5_000, counts: true },
    {},
    ["waiting_robots", 5_000, 1],
    "when robots.txt is asked again",
  ],
  [
    { kind: "waiting for robots", why: "503", retryAt: NOW + 5_000, counts: true },
    { failures: 9 },
    ["dead", DAY_MS, 10],
    "none of its authorities answers",
  ],
  [
    { kind: "waiting for robots", why: "503", retryAt: NOW + 5_000, counts: false },
    { failures: 9 },
    ["waiting_robots", 5_000, 9],
    "another of its authorities is well",
  ],
];

describe("hostAfter", () => {
  test.each(ROWS)("%j after %j", (end, more, [state, waitMs, failures], _why) => {
    const after = hostAfter(end, { ...facts, ...more });
    expect(after.state).toBe(state as typeof after.state);
    expect(after.nextTurnAt.getTime() - NOW).toBe(waitMs);
    expect(after.failures).toBe(failures);
  });

  test("a host that says `in a second` whenever it is asked lives for hours", () => {
    let now = NOW;
    for (let failures = 0; ; failures++) {
      const after = hostAfter(throttled(1_000), { ...facts, now, failures, nextFetchAt: now });
      if (after.state === "dead") break;
      now = after.nextTurnAt.getTime();
    }
    expect(now - NOW).toBeGreaterThan(4 * 3_600_000);
  });

  test("the URL that met a failure comes after its siblings", () => {
    const after = hostAfter(throttled(3_000), facts);
    expect(after.putBehindUntil!.getTime()).toBeGreaterThan(after.nextTurnAt.getTime());
    expect(hostAfter({ kind: "budget" }, facts).putBehindUntil).toBeNull();
  });
});
