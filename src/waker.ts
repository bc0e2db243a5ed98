import type { Clock } from "./clock.ts";

/**
 * A loop that sleeps until it is time, or until somebody wakes it; a wake while it works is kept.
 */
export class Waker {
  #woken = false;
  #rouse: (() => void) | null = null;

  wake(): void {
    this.#woken = true;
    this.#rouse?.();
  }

  /** Resolves when woken, after `ms`, or when `signal` aborts. */
  async wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    if (!this.#woken && !signal.aborted) {
      const roused = new AbortController();
      this.#rouse = () => roused.abort();
      await clock.sleep(ms, AbortSignal.any([signal, roused.signal]));
      this.#rouse = null;
    }
    this.#woken = false;
  }
}
