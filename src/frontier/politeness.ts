/** Who asked for a gap, in ms; null: nobody did. */
export interface DelayClaims {
  /** `CRAWL_DELAY_MS`. */
  readonly crawlDelayMs: number;
  /** Crawl-delay of robots.txt. */
  readonly robotsDelayMs: number | null;
  /** The operator's own setting for the host. */
  readonly hostDelayMs: number | null;
  /** What a slow or failing host gets on top, see `nextSlowDelay`. */
  readonly slowDelayMs: number | null;
}

export interface Delay {
  ms: number;
  /** Whose claim it is, for the console. */
  source: "setting" | "robots" | "host" | "slow";
}

/** The longest of the claims; among equals the first of setting, robots, host, slow. */
export function delayOf(claims: DelayClaims): Delay {
  const delay: Delay = { ms: claims.crawlDelayMs, source: "setting" };
  const others = [
    [claims.robotsDelayMs, "robots"],
    [claims.hostDelayMs, "host"],
    [claims.slowDelayMs, "slow"],
  ] as const;
  for (const [ms, source] of others) {
    if (ms === null || ms <= delay.ms) continue;
    delay.ms = ms;
    delay.source = source;
  }
  return delay;
}

/** An answer that takes longer shows a server at its limit. */
const SLOW_ANSWER_MS = 2_000;
/** The shortest gap that doubling starts from. */
const SLOW_DELAY_MIN_MS = 1_000;
const SLOW_DELAY_MAX_MS = 60_000;

/** One answer of a host, as far as it tells how the host bears us. */
export interface AnswerLoad {
  /** From request to end of answer. */
  readonly tookMs: number;
  /** A time-out, a reset, or a status that tells of the server's own trouble. */
  readonly erred: boolean;
}

/**
 * The gap that a host's behaviour asks for after an answer; null: none. An error doubles it, a slow
 * answer makes it as long as that answer took, a good one halves it. It never lies below
 * `configuredMs` (the longest of the other claims), for there it means nothing.
 */
export function nextSlowDelay(
  slowDelayMs: number | null,
  configuredMs: number,
  { tookMs, erred }: AnswerLoad,
): number | null {
  const gapMs = Math.max(configuredMs, slowDelayMs ?? 0);
  const wantedMs = erred ? Math.max(SLOW_DELAY_MIN_MS, gapMs * 2) : calmDelay(slowDelayMs, tookMs);
  const ms = Math.floor(Math.min(SLOW_DELAY_MAX_MS, wantedMs));
  return ms > configuredMs ? ms : null;
}

function calmDelay(slowDelayMs: number | null, tookMs: number): number {
  const easedMs = (slowDelayMs ?? 0) / 2;
  return tookMs < SLOW_ANSWER_MS ? easedMs : Math.max(easedMs, tookMs);
}

/**
 * Earliest start of the next request, epoch ms. With one request at a time the gap runs from the
 * end of the answer; only where an operator allowed several at once (`concurrency`) from the start.
 */
export function nextFetchAt(
  answer: { readonly startedAt: number; readonly endedAt: number },
  delayMs: number,
  concurrency = 1,
): number {
  return (concurrency > 1 ? answer.startedAt : answer.endedAt) + delayMs;
}
