import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { HostRow } from "../db/hosts.ts";
import type { Outcome } from "../fetch/outcome.ts";
import { throttleWaitMs } from "../frontier/backoff.ts";
import { type Delay, delayOf, nextSlowDelay } from "../frontier/politeness.ts";

/** The delay in force at a host, and who asked for it. */
export function delayOfHost(
  host: Pick<HostRow, "robotsDelayMs" | "delayMs" | "slowDelayMs">,
  { politeness }: Pick<Config, "politeness">,
): Delay {
  return delayOf({
    crawlDelayMs: politeness.crawlDelayMs,
    robotsDelayMs: host.robotsDelayMs,
    hostDelayMs: host.delayMs,
    slowDelayMs: host.slowDelayMs,
  });
}

/** Longer gaps end the turn and are honoured by its next one: no worker is held for them. */
const HOLD_MAX_MS = 5_000;
export const isHeldTooLong = (gapMs: number): boolean => gapMs > HOLD_MAX_MS;

/** The clock of one host: when its next request may start, and who asked for the gap. */
export class HostGap {
  /** Earliest next request, epoch ms. */
  nextFetchAt: number;
  robotsDelayMs: number | null;
  slowDelayMs: number | null;
  readonly #hostDelayMs: number | null;
  readonly #politeness: Config["politeness"];
  readonly #clock: Clock;

  constructor(host: HostRow, config: Config, clock: Clock) {
    this.nextFetchAt = host.nextFetchAt?.getTime() ?? 0;
    this.robotsDelayMs = host.robotsDelayMs;
    this.slowDelayMs = host.slowDelayMs;
    this.#hostDelayMs = host.delayMs;
    this.#politeness = config.politeness;
    this.#clock = clock;
  }

  /** The delay in force. */
  get ms(): number {
    return this.#delayMs(this.slowDelayMs);
  }

  /** Until the next request may start; negative when it may. */
  get leftMs(): number {
    return this.nextFetchAt - this.#clock.now();
  }

  /** With one lane the gap runs from the end of an answer, with several from start to start. */
  reserveStart(): number {
    const startAt = Math.max(this.nextFetchAt, this.#clock.now());
    if (this.#politeness.hostConcurrency > 1) this.nextFetchAt = startAt + this.ms;
    return startAt;
  }

  /** After an answer, or a request that was cut off and may have been sent. */
  answered(outcome: Outcome): void {
    const erred = outcome.kind === "interrupted" || outcome.kind === "unavailable";
    const tookMs = "timing" in outcome ? outcome.timing.endedAt - outcome.timing.startedAt : 0;
    this.slowDelayMs = nextSlowDelay(this.slowDelayMs, this.#delayMs(null), { tookMs, erred });
    if (this.#politeness.hostConcurrency === 1) this.nextFetchAt = this.#clock.now() + this.ms;
    if (outcome.kind === "throttled") this.#waitAsTold(outcome.retryAfterMs ?? 0);
  }

  /** Whatever brings the host's next turn forward, no request goes before. */
  #waitAsTold(retryAfterMs: number): void {
    const waitMs = throttleWaitMs({ retryAfterMs, delayMs: this.ms, backoffMs: 0 });
    this.nextFetchAt = Math.max(this.nextFetchAt, this.#clock.now() + waitMs);
  }

  #delayMs(slowDelayMs: number | null): number {
    return delayOf({
      crawlDelayMs: this.#politeness.crawlDelayMs,
      robotsDelayMs: this.robotsDelayMs,
      hostDelayMs: this.#hostDelayMs,
      slowDelayMs,
    }).ms;
  }
}
