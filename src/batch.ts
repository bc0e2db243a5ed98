/**
 * Gathers single calls into batches: one round trip for many. A batch leaves when the first of it
 * has waited `waitMs`, or when `itemsMax` are there. While items come fast it waits `busyWaitMs`:
 * a little latency then buys much larger batches, and alone an item need not wait for company that
 * does not come.
 */
export class Batcher<T, R> {
  #waiting: Entry<T, R>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Those that wait have waited long enough, and leave as soon as a running batch is over. */
  #isDue = false;
  #running = 0;
  /** When the last batch began to gather and left, and how many it was: how fast items come. */
  #beganAt = Number.NEGATIVE_INFINITY;
  #leftAt = Number.NEGATIVE_INFINITY;
  #size = 0;
  readonly #flights = new Set<Promise<void>>();
  readonly #work: (items: T[]) => Promise<readonly R[]>;
  readonly #limits: BatchLimits;

  /** `work` answers in the order of its items; when it throws, every item of the batch rejects. */
  constructor(work: (items: T[]) => Promise<readonly R[]>, limits: BatchLimits) {
    this.#work = work;
    this.#limits = limits;
  }

  add(item: T): Promise<R> {
    return new Promise<R>((done, fail) => {
      this.#waiting.push({ item, done, fail });
      if (this.#waiting.length >= this.#limits.itemsMax) this.#leave();
      else if (!this.#isDue) this.#timer ??= setTimeout(() => this.#leave(), this.#window());
    });
  }

  /** Resolves when all that was added is done. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#flights.size > 0) {
      this.#leave();
      await Promise.race(this.#flights);
    }
  }

  #window(): number {
    const { waitMs, busyWaitMs = waitMs } = this.#limits;
    const now = performance.now();
    const expected = (this.#size / (now - this.#beganAt)) * busyWaitMs;
    const isBusy = expected >= COMPANY && now - this.#leftAt < busyWaitMs;
    this.#beganAt = now;
    return isBusy ? busyWaitMs : waitMs;
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = true;
    while (this.#waiting.length > 0 && this.#running < this.#limits.parallel) {
      const batch = this.#waiting.splice(0, this.#limits.itemsMax);
      this.#size = batch.length;
      this.#leftAt = performance.now();
      this.#running++;
      const flight = this.#run(batch).finally(() => {
        this.#running--;
        this.#flights.delete(flight);
        if (this.#isDue) this.#leave();
      });
      this.#flights.add(flight);
    }
    if (this.#waiting.length === 0) this.#isDue = false;
  }

  async #run(batch: Entry<T, R>[]): Promise<void> {
    try {
      const results = await this.#work(batch.map((entry) => entry.item));
      if (results.length !== batch.length) throw new Error("a batch lost some of its answers");
      for (const [at, entry] of batch.entries()) entry.done(results[at]!);
    } catch (error) {
      for (const entry of batch) entry.fail(error);
    }
  }
}

/** So many items must be expected within `busyWaitMs`, or it is not worth the wait. */
const COMPANY = 8;

export interface BatchLimits {
  itemsMax: number;
  waitMs: number;
  /** While items come fast; `waitMs` when not given. */
  busyWaitMs?: number;
  /** Batches under way at once. */
  parallel: number;
}

interface Entry<T, R> {
  item: T;
  done(result: R): void;
  fail(error: unknown): void;
}
