const DAY_MS = 86_400_000;

/** Tries after the first one that a transient error is given. */
export const RETRIES_MAX = 3;
/** Turns in a row that may die on a URL before it has failed. */
export const CRASHES_MAX = 3;
/** A URL that its turn died on, and one whose host was at fault, let their siblings go first. */
export const BEHIND_SIBLINGS_MS = 5_000;

/** No host is left alone longer than this, whatever it asks for. */
export const HOST_WAIT_MAX_MS = DAY_MS;

/** Added on top, never taken off: a wait is at least what was promised. */
const JITTER = 0.25;

/** How a back-off grows and spreads; `random` is 0..1. */
export interface BackoffBase {
  /** `RETRY_BASE_MS`. */
  readonly baseMs: number;
  readonly random: number;
}

/** Milliseconds before the next try of a URL; `attempts` (0, 1, 2) failed before this one. */
export function retryDelayMs(attempts: number, { baseMs, random }: BackoffBase): number {
  return withJitter(doubled(baseMs, attempts), random);
}

/** Milliseconds that a host is left alone after `failures` (1, 2, ...) failed turns in a row. */
export function hostBackoffMs(failures: number, { baseMs, random }: BackoffBase): number {
  const ms = withJitter(doubled(baseMs, Math.max(0, failures - 1)), random);
  return Math.min(HOST_WAIT_MAX_MS, ms);
}

/**
 * Milliseconds to wait after 429, or 503 with Retry-After: as told, up to a day and no less than
 * the host's delay; not told, its back-off.
 */
export function throttleWaitMs(wait: {
  readonly retryAfterMs: number | null;
  readonly delayMs: number;
  readonly backoffMs: number;
}): number {
  const asked = wait.retryAfterMs ?? wait.backoffMs;
  return Math.max(wait.delayMs, Math.min(HOST_WAIT_MAX_MS, asked));
}

function doubled(baseMs: number, times: number): number {
  return Math.min(HOST_WAIT_MAX_MS, baseMs * 2 ** times);
}

function withJitter(ms: number, random: number): number {
  return Math.round(ms * (1 + JITTER * random));
}
