/**
 * Gathers single calls into batches: one round trip for many. A batch leaves when the first of it
 * has waited `waitMs`, when `itemsMax` are there, or as soon as a running one is over.
 */
export class Batcher<T, R> {
  #waiting: Entry<T, R>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = 0;
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
      else this.#timer ??= setTimeout(() => this.#leave(), this.#limits.waitMs);
    });
  }

  /** Resolves when all that was added is done. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#flights.size > 0) {
      this.#leave();
      await Promise.race(this.#flights);
    }
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0 && this.#running < this.#limits.parallel) {
      const batch = this.#waiting.splice(0, this.#limits.itemsMax);
      this.#running++;
      const flight = this.#run(batch).finally(() => {
        this.#running--;
        this.#flights.delete(flight);
        if (this.#waiting.length > 0) this.#leave();
      });
      this.#flights.add(flight);
    }
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

export interface BatchLimits {
  itemsMax: number;
  waitMs: number;
  /** Batches under way at once. */
  parallel: number;
}

interface Entry<T, R> {
  item: T;
  done(result: R): void;
  fail(error: unknown): void;
}
