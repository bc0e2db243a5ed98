import { retryDelayMs } from "../frontier/backoff.ts";
import {
  CRASHES_REVISIT_MS,
  DONE_REVISIT_MS,
  dueAfter,
  goneRevisitMs,
  MISSED_REVISIT_MS,
  nextFailedInterval,
  nextInterval,
  TLS_REVISIT_MS,
} from "../frontier/recrawl.ts";
import { hasDocument, LEASE_OFF, OUT_OF_INDEX } from "./url-columns.ts";
import type { Heard, StepEnv, UrlColumns } from "./url-event.ts";

/** Columns after the end of a visit, good or bad. */
type Change = Partial<UrlColumns>;
type Failure = { reason: string; status?: number };

export function afterSuccess({ context, event }: Heard<"succeeded">): Change {
  const changed = event.changed && hasDocument(context);
  return {
    ...afterPage(context, changed, event.env),
    status: event.status,
    etag: event.etag,
    lastModified: event.lastModified,
    contentHash: event.contentHash,
    changes: context.changes + (changed ? 1 : 0),
  };
}

export function afterNotModified({ context, event }: Heard<"not modified">): Change {
  return {
    ...afterPage(context, false, event.env),
    status: 304,
    etag: event.etag ?? context.etag,
    lastModified: event.lastModified ?? context.lastModified,
  };
}

function afterPage(row: UrlColumns, changed: boolean, env: StepEnv): Change {
  const lastS = row.intervalS !== null && row.intervalS > 0 ? row.intervalS : null;
  const intervalS = nextInterval(lastS, changed, env.config);
  return {
    ...visited(row, env),
    attempts: 0,
    crashes: 0,
    misses: 0,
    reason: null,
    targetId: null,
    crawledAt: row.crawledAt ?? new Date(env.now),
    intervalS,
    nextCrawlAt: new Date(dueAfter(env.now, intervalS, env.random, env.config)),
  };
}

export function afterTransient({ context, event }: Heard<"failed transiently">): Change {
  return oneTryLess(context, event, event.env);
}

/** A 304 to a request that gave no reason for one: it is asked again without validators. */
export function afterUnasked({ context, event }: Heard<"not modified">): Change {
  return { ...oneTryLess(context, UNASKED, event.env), etag: null, lastModified: null };
}

const UNASKED = { reason: "unasked 304", status: 304 } as const;

function oneTryLess(row: UrlColumns, { reason, status }: Failure, env: StepEnv): Change {
  const backoff = { baseMs: env.config.retryBaseMs, random: env.random };
  return {
    ...visited(row, env),
    attempts: row.attempts + 1,
    reason,
    status: status ?? null,
    nextCrawlAt: new Date(env.now + retryDelayMs(row.attempts, backoff)),
  };
}

/** The first 404 of a page in the index may be a slip of its server. */
export function afterMiss({ context, event: { env } }: Heard<"not found">): Change {
  return {
    ...visited(context, env),
    attempts: 0,
    misses: context.misses + 1,
    reason: "not found",
    status: 404,
    nextCrawlAt: new Date(env.now + MISSED_REVISIT_MS),
  };
}

export function afterFailure({ context, event }: Heard<"failed permanently">): Change {
  return { ...visited(context, event.env), ...failed(context, event, event.env), misses: 0 };
}

/** The 4th transient error in a row. */
export function afterLastTry({
  context,
  event,
}: Heard<"failed transiently" | "not modified">): Change {
  const failure = event.type === "not modified" ? UNASKED : event;
  return {
    ...visited(context, event.env),
    ...failed(context, failure, event.env),
    attempts: context.attempts + 1,
  };
}

export function afterLoop({ context, event }: Heard<"settled">): Change {
  const reason = context.url === event.target ? "redirect loop" : "too many redirects";
  return { ...visited(context, event.env), ...failed(context, { reason }, event.env), misses: 0 };
}

/** The document stays if there is one, and is the reason to look again: days can be bad. */
function failed(row: UrlColumns, { reason, status }: Failure, { now }: StepEnv): Change {
  const intervalS =
    row.intervalS === null ? null : -nextFailedInterval(row.intervalS < 0 ? -row.intervalS : null);
  const documentMs = intervalS === null ? null : -intervalS * 1000;
  // What killed workers may have been no page's fault: nothing is lost for ever.
  const waitMs =
    reason === "tls"
      ? TLS_REVISIT_MS
      : (documentMs ?? (reason === "crashes" ? CRASHES_REVISIT_MS : null));
  return {
    reason,
    status: status ?? null,
    intervalS,
    nextCrawlAt: waitMs === null ? null : new Date(now + waitMs),
  };
}

/**
 * 410 at once, 404 for the second time or without a document: the page is no more. One that was in
 * the index may come back, and nobody has to link to it anew for that.
 */
export function afterGone({ context, event }: Heard<"not found" | "gone">): Change {
  const isMiss = event.type === "not found";
  const misses = context.misses + 1;
  return {
    ...visited(context, event.env),
    ...OUT_OF_INDEX,
    attempts: 0,
    crashes: 0,
    misses,
    reason: isMiss ? "not found" : "gone",
    status: isMiss ? 404 : 410,
    nextCrawlAt:
      context.crawledAt === null ? null : new Date(event.env.now + goneRevisitMs(misses)),
  };
}

export function afterSettled({ context, event }: Heard<"settled">): Change {
  return {
    ...visited(context, event.env),
    ...OUT_OF_INDEX,
    attempts: 0,
    crashes: 0,
    misses: 0,
    reason: event.reason,
    status: event.status ?? null,
    targetId: event.targetId ?? null,
    nextCrawlAt: new Date(event.env.now + DONE_REVISIT_MS),
  };
}

export function afterLastCrash({ context, event }: Heard<"worker died" | "lease expired">): Change {
  return {
    ...LEASE_OFF,
    ...failed(context, { reason: "crashes" }, event.env),
    crashes: context.crashes + 1,
  };
}

function visited({ visits }: UrlColumns, { now }: StepEnv): Change {
  return { ...LEASE_OFF, visits: visits + 1, visitedAt: new Date(now) };
}
