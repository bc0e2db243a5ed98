import { describe, expect, test } from "bun:test";
import { getTableColumns } from "drizzle-orm";
import fc from "fast-check";
import { stepUrl } from "../../src/actors/step.ts";
import { NEW_URL } from "../../src/actors/url-columns.ts";
import type { UrlEvent, UrlRow, UrlState } from "../../src/actors/url-event.ts";
import { urls } from "../../src/db/schema/urls.ts";
import { EVENTS, env, urlRow } from "../support/url-row.ts";

const STATES: UrlState[] = ["pending", "in_progress", "done", "failed", "blocked"];

const flag = fc.boolean();
const variant: fc.Arbitrary<UrlEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom("worker died", "lease expired"), fetching: flag }),
  fc.record({ ...constants(EVENTS.succeeded), changed: flag }),
  fc.record({
    type: fc.constant("settled" as const),
    reason: fc.constantFrom("robots", "redirected", "duplicate", "noindex", "canonical"),
    target: fc.constantFrom("https://a.example/x", "https://b.example/y"),
  }),
  fc.record({
    type: fc.constant("failed permanently" as const),
    reason: fc.constantFrom("tls", "status", "too large"),
  }),
);
/** Claims are frequent, or most of what follows would be ignored. */
const event: fc.Arbitrary<UrlEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Object.values(EVENTS)) },
  { weight: 3, arbitrary: fc.constant(EVENTS.claimed) },
  { weight: 2, arbitrary: variant },
);
/** What happens, and after how many ms; `random` of the step. */
const life = fc.array(
  fc.record({
    event,
    ms: fc.nat(40 * 86_400_000),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 40, size: "max" },
);

/** What lives have come to, so that a check of nothing is no check. */
const reached = new Set<string>();

describe("through any life", () => {
  test("a row stays one that the store takes and that something can happen to", () => {
    fc.assert(
      fc.property(life, (steps) => void live(steps, assertSound)),
      { numRuns: 300 },
    );
    expect([...reached].toSorted()).toEqual([
      ...["blocked", "done", "failed", "failed, indexed"],
      ...["in_progress", "in_progress, indexed", "pending", "pending, indexed"],
    ]);
  });

  test("no more than 4 tries and 3 crashes go by before a page, a rest or a person", () => {
    fc.assert(
      fc.property(life, (steps) => {
        live(steps, (row) => {
          expect(row.attempts).toBeLessThanOrEqual(4);
          expect(row.crashes).toBeLessThanOrEqual(3);
          if (row.state === "pending" || row.state === "in_progress") {
            expect(row.attempts).toBeLessThan(4);
            expect(row.crashes).toBeLessThan(3);
          }
        });
      }),
      { numRuns: 300 },
    );
  });

  test("a URL is removed only by a person", () => {
    fc.assert(
      fc.property(life, (steps) => {
        const last = live(steps, () => {});
        if (last.removedBy !== null) expect(last.removedBy).toBe("dropped");
      }),
      { numRuns: 300 },
    );
  });

  test("columns are just those that differ, and a step with the same input is the same", () => {
    fc.assert(
      fc.property(life, (steps) => {
        live(steps, (row) => {
          for (const happened of Object.values(EVENTS)) {
            const step = stepUrl(row, happened, env);
            expect(stepUrl(row, happened, env)).toEqual(step);
            if (step.kind === "ignored") continue;
            for (const [name, value] of Object.entries(step.columns)) {
              expect(row[name as keyof UrlRow]).not.toEqual(value);
            }
          }
        });
      }),
      { numRuns: 30 },
    );
  });
});

test("a document is lost only with an effect that takes it out of the index", () => {
  fc.assert(
    fc.property(life, (steps) => {
      live(steps, (row, before, effects) => {
        const left = before.intervalS !== null && row.intervalS === null;
        expect(left).toBe(left && effects.includes("remove document"));
        if (row.intervalS === null) expect([row.etag, row.contentHash]).toEqual([null, null]);
      });
    }),
    { numRuns: 300 },
  );
});

test("a row of each state can be stepped by a person", () => {
  for (const state of STATES.filter((name) => name !== "in_progress")) {
    expect(stepUrl(urlRow(state), EVENTS.dropped, env).kind).toBe("stepped");
  }
});

test("a URL before its row is what the store gives a new row by itself", () => {
  const columns: Record<string, { default: unknown; notNull: boolean }> = getTableColumns(urls);
  for (const [name, value] of Object.entries(NEW_URL)) {
    if (name === "url") continue;
    expect([name, columns[name]?.notNull ? columns[name].default : null]).toEqual([name, value]);
  }
});

function constants<T extends object>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  const entries = Object.entries(values).map(([name, value]) => [name, fc.constant(value)]);
  return Object.fromEntries(entries);
}

/** Steps a new URL through its life; `look` sees the row after each step that was not ignored. */
function live(
  steps: readonly { event: UrlEvent; ms: number; random: number }[],
  look: (row: UrlRow, before: UrlRow, effects: string[]) => void,
): { removedBy: string | null } {
  let now = env.now;
  let row: UrlRow = {
    ...NEW_URL,
    url: "https://a.example/x",
    nextCrawlAt: new Date(now),
    state: "pending",
  };
  for (const { event: happened, ms, random } of steps) {
    now += ms;
    const step = stepUrl(row, happened, { ...env, now, random });
    if (step.kind === "ignored") continue;
    if (step.state === "removed") return { removedBy: happened.type };
    const before = row;
    row = { ...row, ...step.columns, state: step.state };
    look(
      row,
      before,
      step.effects.map(({ type }) => type),
    );
  }
  return { removedBy: null };
}

/** What the checks of the table `urls` and its users rely on. */
function assertSound(row: UrlRow): void {
  reached.add(`${row.state}${row.intervalS === null ? "" : ", indexed"}`);
  expect((row.state === "in_progress") === (row.leaseToken !== null)).toBe(true);
  if (row.state !== "in_progress") expect([row.claimedAt, row.fetchingAt]).toEqual([null, null]);
  if (row.state === "pending") expect(row.nextCrawlAt).not.toBeNull();
  if (row.state === "done" || row.state === "failed") expect(row.reason).not.toBeNull();
  if (row.state === "done")
    expect([row.intervalS, row.nextCrawlAt]).toEqual([null, expect.any(Date)]);
  if (row.state === "blocked") expect(row.intervalS).toBeNull();
  if (row.state === "failed" && row.intervalS !== null) {
    expect(row.intervalS).toBeLessThan(0);
    expect(row.nextCrawlAt).not.toBeNull();
  }
  expect(row.priority).toBeWithin(0, 256);
  expect(row.intervalS).not.toBe(0);
}
