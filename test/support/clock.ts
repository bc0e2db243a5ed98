import type { Clock } from "../../src/clock.ts";

interface Sleeper {
  at: number;
  wake(): void;
}

/** A clock whose hands a test turns. */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || ms <= 0) return Promise.resolve();
    return new Promise((done) => {
      const sleeper = { at: this.#now + ms, wake: done };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        done();
      });
    });
  }

  /** Jumps, as over a frozen process: nobody wakes on the way. */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Lets time pass from one sleeper to the next, and what they wake run. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      this.#sleepers = this.#sleepers.filter((each) => each !== next);
      next.wake();
    }
    this.#now = end;
    await settle();
  }
}

/** Everything that promises have in hand runs. */
export function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
