import { expect } from "bun:test";
import type { UrlStep } from "../../src/actors/step.ts";
import { NEW_URL } from "../../src/actors/url-columns.ts";
import type {
  StepEnv,
  UrlColumns,
  UrlEvent,
  UrlRow,
  UrlState,
} from "../../src/actors/url-event.ts";

export const NOW = Date.UTC(2026, 0, 15, 12);
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** `random` in the middle: recrawl jitter is none, back-off jitter an eighth. */
export const env: StepEnv = {
  now: NOW,
  random: 0.5,
  config: { retryBaseMs: 60_000, recrawlMinMs: HOUR_MS, recrawlMaxMs: 30 * DAY_MS },
};

export const after = (ms: number): Date => new Date(NOW + ms);

/** A row in this state as the crawl leaves one, with what the test says otherwise. */
export function urlRow(state: UrlState, over: Partial<UrlRow> = {}): UrlRow {
  return { ...NEW_URL, url: "https://a.example/x", ...TYPICAL[state], state, ...over };
}

/** A page that is in the index. */
export const INDEXED: Partial<UrlRow> = {
  intervalS: 86_400,
  crawledAt: after(-DAY_MS),
  visitedAt: after(-DAY_MS),
  visits: 1,
  status: 200,
  etag: '"1"',
  lastModified: "Wed, 14 Jan 2026 12:00:00 GMT",
  contentHash: "11111111-1111-1111-1111-111111111111",
};

const LEASE = {
  leaseToken: "00000000-0000-0000-0000-00000000000a",
  claimedAt: after(-1_000),
  fetchingAt: after(-500),
};

const TYPICAL: Record<UrlState, Partial<UrlRow>> = {
  pending: { nextCrawlAt: after(-2_000) },
  in_progress: { nextCrawlAt: after(-2_000), ...LEASE },
  done: { nextCrawlAt: after(20 * DAY_MS), reason: "robots", visits: 1 },
  failed: { nextCrawlAt: null, reason: "status", status: 403, visits: 1 },
  blocked: { nextCrawlAt: null, reason: "host blocked" },
};

/** A lease that has ended. */
export const free = { leaseToken: null, claimedAt: null, fetchingAt: null } as const;

/** One row of a table of transitions; `columns` are those that the row must have afterwards. */
export type LifeRow = [
  from: UrlRow | null,
  event: UrlEvent,
  to: string,
  columns: Partial<UrlColumns>,
  why: string,
];

/** One of each kind of event. */
export const EVENTS: { [T in UrlEvent["type"]]: UrlEvent & { type: T } } = {
  admitted: { type: "admitted", priority: 120 },
  collected: { type: "collected" },
  claimed: { type: "claimed", token: "00000000-0000-0000-0000-00000000000b" },
  released: { type: "released", reason: "too early" },
  succeeded: {
    type: "succeeded",
    changed: true,
    status: 200,
    etag: '"2"',
    lastModified: null,
    contentHash: "22222222-2222-2222-2222-222222222222",
  },
  "not modified": { type: "not modified" },
  "failed transiently": { type: "failed transiently", reason: "timeout" },
  "not found": { type: "not found" },
  gone: { type: "gone" },
  settled: { type: "settled", reason: "robots" },
  "failed permanently": { type: "failed permanently", reason: "too large", status: 200 },
  "worker died": { type: "worker died", fetching: true },
  "lease expired": { type: "lease expired", fetching: true },
  "host blocked": { type: "host blocked" },
  "host unblocked": { type: "host unblocked" },
  "submitted again": { type: "submitted again", priority: 220 },
  "operator retried": { type: "operator retried" },
  "came due": { type: "came due" },
  "crawl now": { type: "crawl now" },
  dropped: { type: "dropped" },
  "target left": { type: "target left" },
};

/** The step, which must not have been ignored. */
export function stepped(step: UrlStep): UrlStep & { kind: "stepped" } {
  if (step.kind === "ignored") throw new Error("the event was ignored");
  return step;
}

/** These columns are so. (`toMatchObject` takes any two Dates for equal.) */
export function expectColumns(row: Partial<UrlColumns>, columns: Partial<UrlColumns>): void {
  const names = Object.keys(columns) as (keyof UrlColumns)[];
  expect<unknown>(Object.fromEntries(names.map((name) => [name, row[name]]))).toEqual(columns);
}
