import type { Breaker } from "../crawl/breaker.ts";

/** What a crawl that ends with it says. */
export const CARRIER_LOST = "the carrier stayed away: nothing to crawl without it";

/** Has the carrier been away for longer than CARRIER_GRACE_MS, at every look? */
export class CarrierWatch {
  readonly #breaker: Breaker;
  readonly #graceMs: number;
  #awayAt: number | null = null;

  constructor(breaker: Breaker, graceMs: number) {
    this.#breaker = breaker;
    this.#graceMs = graceMs;
  }

  /** To be asked a few times a second. */
  isLost(): boolean {
    const now = performance.now();
    this.#awayAt = this.#breaker.isAway("carrier") ? (this.#awayAt ?? now) : null;
    return this.#awayAt !== null && now - this.#awayAt > this.#graceMs;
  }
}
