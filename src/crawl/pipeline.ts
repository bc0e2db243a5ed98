/**
 * A page is to be searchable within a second of its fetch: so long may all behind the fetch take.
 */
const TARGET_MS = 400;
const LIMIT_MIN = 4;
const LIMIT_MAX = 512;
const LIMIT_FIRST = 128;
const SHRINK = 0.75;

/**
 * How many pages may stand between their fetch and their settle, in the whole process. More of them
 * make no page faster, only each one later: the limit grows while pages pass in time, and shrinks
 * when they do not (additive increase, multiplicative decrease, as TCP finds its window). Fetching
 * waits for room, so that it is never far ahead of parsing and indexing.
 */
export class Pipeline {
  #inside = 0;
  #limit = LIMIT_FIRST;
  /** Pages that entered before the last shrinking say nothing about the new limit. */
  #unheard = 0;
  readonly #waiting: (() => void)[] = [];

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get inside(): number {
    return this.#inside;
  }

  /** Resolves when another page has room, or when `signal` aborts. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.#inside >= this.limit && !signal.aborted) {
      await new Promise<void>((go) => {
        const wake = () => {
          signal.removeEventListener("abort", wake);
          go();
        };
        signal.addEventListener("abort", wake, { once: true });
        this.#waiting.push(wake);
      });
    }
  }

  enter(): void {
    this.#inside++;
  }

  /** `tookMs`: from the end of its answer to its settle. */
  leave(tookMs: number): void {
    this.#inside--;
    if (this.#unheard > 0) this.#unheard--;
    else if (tookMs > TARGET_MS) this.#shrink();
    else this.#limit = Math.min(LIMIT_MAX, this.#limit + 1 / this.#limit);
    const free = this.limit - this.#inside;
    for (const wake of this.#waiting.splice(0, Math.max(0, free))) wake();
  }

  #shrink(): void {
    this.#limit = Math.max(LIMIT_MIN, this.#limit * SHRINK);
    this.#unheard = this.#inside;
  }
}
