/** Bounds of the adaptive interval. */
export interface RecrawlConfig {
  readonly recrawlMinMs: number;
  readonly recrawlMaxMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const FIRST_INTERVAL_S = DAY_MS / 1000;
const CHANGED_FACTOR = 0.5;
const UNCHANGED_FACTOR = 1.5;
const JITTER = 0.1;

/** A 404 of an indexed page is asked once more after this, before the page leaves the index. */
export const MISSED_REVISIT_MS = DAY_MS;
/** A URL that is done (redirected, duplicate, noindex, ...) is looked at again after this. */
export const DONE_REVISIT_MS = 30 * DAY_MS;
/** Certificates are renewed within days. */
export const TLS_REVISIT_MS = DAY_MS;
/** Workers died on it and it has no document: the fault may have been theirs. */
export const CRASHES_REVISIT_MS = 7 * DAY_MS;

const FAILED_REVISIT_S = (7 * DAY_MS) / 1000;
const FAILED_REVISIT_MAX_S = (90 * DAY_MS) / 1000;

/** Seconds until a page is worth another look. `intervalS` is the last one, null at the first. */
export function nextInterval(
  intervalS: number | null,
  changed: boolean,
  config: RecrawlConfig,
): number {
  const factor = changed ? CHANGED_FACTOR : UNCHANGED_FACTOR;
  const wanted = intervalS === null ? FIRST_INTERVAL_S : intervalS * factor;
  const [minS, maxS] = bounds(config);
  return Math.round(Math.min(maxS, Math.max(minS, wanted)));
}

/**
 * When an interval is over, in epoch ms: spread by 10 % to either side, so that pages found
 * together do not come due together, but never outside the bounds. `random` is 0..1.
 */
export function dueAfter(
  now: number,
  intervalS: number,
  random: number,
  config: RecrawlConfig,
): number {
  const [minS, maxS] = bounds(config);
  const earliestS = Math.max(Math.min(minS, intervalS), intervalS * (1 - JITTER));
  const latestS = Math.min(Math.max(maxS, intervalS), intervalS * (1 + JITTER));
  return now + Math.round((earliestS + (latestS - earliestS) * random) * 1000);
}

/** Seconds until a failed URL that has a document is tried again; null: it has just failed. */
export function nextFailedInterval(lastS: number | null): number {
  return lastS === null ? FAILED_REVISIT_S : Math.min(FAILED_REVISIT_MAX_S, lastS * 2);
}

/**
 * How long after it left the index a page is asked for again, by its 404s and 410s in a row: the
 * second 404 is the first that tells.
 */
export function goneRevisitMs(misses: number): number {
  const doublings = Math.max(0, misses - 2);
  return Math.min(FAILED_REVISIT_MAX_S, FAILED_REVISIT_S * 2 ** doublings) * 1000;
}

/** Whole seconds, 1 at least: the interval is stored so. */
function bounds({ recrawlMinMs, recrawlMaxMs }: RecrawlConfig): [number, number] {
  const minS = Math.max(1, Math.ceil(recrawlMinMs / 1000));
  return [minS, Math.max(minS, Math.floor(recrawlMaxMs / 1000))];
}
