import type { Outcome } from "../fetch/outcome.ts";
import { decodeRobots } from "../parse/robots.ts";

/** robots.txt of one authority as the store keeps it; see db/robots.ts. */
export interface RobotsRow {
  authority: string;
  hostId: number;
  /** Of the last usable answer; null: there was none yet. */
  status: number | null;
  body: string | null;
  etag: string | null;
  lastModified: string | null;
  fetchedAt: Date | null;
  expiresAt: Date;
  failures: number;
  failure: string | null;
}

const DAY_MS = 86_400_000;
/** RFC 9309 section 2.4: no cached copy is used for longer, unless unreachable. */
const FRESH_MAX_MS = DAY_MS;
const FRESH_MIN_MS = 60_000;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 6 * 3_600_000;

/** RFC 9309 section 2.3.1: what an answer makes of the row; `now` in epoch ms. */
export function nextRow(
  row: RobotsRow | null,
  { authority, hostId }: { authority: string; hostId: number },
  outcome: Outcome,
  now: number,
): RobotsRow {
  const read = readingOf(outcome, row);
  if (read.kind === "unreachable") {
    const failures = (row?.failures ?? 0) + 1;
    const backoffMs = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS);
    const waitMs = Math.min(Math.max(backoffMs, read.retryAfterMs ?? 0), DAY_MS);
    const blank = { status: null, body: null, etag: null, lastModified: null, fetchedAt: null };
    const kept = row ?? { authority, hostId, ...blank };
    const expiresAt = new Date(now + waitMs);
    return { ...kept, hostId, expiresAt, failures, failure: read.failure };
  }
  const { kind: _, freshMs, ...usable } = read;
  return {
    authority,
    hostId,
    ...usable,
    fetchedAt: new Date(now),
    expiresAt: new Date(now + Math.min(Math.max(freshMs, FRESH_MIN_MS), FRESH_MAX_MS)),
    failures: 0,
    failure: null,
  };
}

type Reading =
  | {
      kind: "usable";
      status: number;
      body: string;
      etag: string | null;
      lastModified: string | null;
      freshMs: number;
    }
  | { kind: "unreachable"; failure: string; retryAfterMs?: number | null };

function readingOf(outcome: Outcome, row: RobotsRow | null): Reading {
  switch (outcome.kind) {
    case "fetched": {
      const { etag, lastModified } = outcome.headers;
      const body = decodeRobots(outcome.body);
      const freshMs = freshFor(outcome.headers);
      return { kind: "usable", status: outcome.status, body, etag, lastModified, freshMs };
    }
    case "unchanged": {
      if (!row) return unreachable("304 to a request without a condition");
      const { status, body, etag, lastModified } = row;
      const freshMs = freshFor(outcome.headers);
      return { ...absent(status ?? 200), body: body ?? "", etag, lastModified, freshMs };
    }
    case "gone":
    // More than five hops, or to nowhere: may be taken as unavailable (section 2.3.1.2).
    case "redirected":
      return absent(outcome.status);
    // A 4xx, 408 and 425 too, means "no robots.txt here" (section 2.3.1.3).
    case "rejected":
    case "unavailable":
      if (outcome.status >= 400 && outcome.status < 500) return absent(outcome.status);
      return unreachable(`robots.txt answers ${outcome.status}`);
    case "throttled": {
      const { status, retryAfterMs } = outcome;
      return { ...unreachable(`robots.txt answers ${status}`), retryAfterMs };
    }
    case "refused":
      return unreachable(`robots.txt leads to a refused place (${outcome.reason})`);
    case "unreachable":
      return unreachable(`robots.txt: ${outcome.cause} failed, ${outcome.detail}`);
    case "interrupted":
      return unreachable(`robots.txt: ${outcome.cause}`);
    case "malformed":
      return unreachable("robots.txt: the answer is no valid HTTP");
    case "too large":
      return unreachable("robots.txt: the answer is too large");
    case "unsupported":
      return absent(200);
    case "no slot":
    case "aborted":
      throw new Error(`no answer to make a row of: ${outcome.kind}`);
    default:
      return outcome satisfies never;
  }
}

/** An answer without rules: everything is allowed. */
function absent(status: number): Reading & { kind: "usable" } {
  const none = { etag: null, lastModified: null, freshMs: FRESH_MAX_MS };
  return { kind: "usable", status, body: "", ...none };
}

function unreachable(failure: string): Reading & { kind: "unreachable" } {
  return { kind: "unreachable", failure };
}

function freshFor({ maxAgeS }: { maxAgeS: number | null }): number {
  return maxAgeS === null ? FRESH_MAX_MS : maxAgeS * 1000;
}
