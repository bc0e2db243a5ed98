/**
 * Half of the pages are to be searchable within 200 ms of their fetch, at full speed too: so long
 * may all behind the fetch take, the group commit included.
 */
const TARGET_MS = 250;
/** Fewer would leave the batches small where a disk or a service is slow by itself. */
const LIMIT_MIN = 32;
const LIMIT_MAX = 512;
const LIMIT_FIRST = 128;
/** Pages more for each limit's worth of pages that pass in time. */
const GROWTH = 16;
const SHRINK = 0.75;
/** Of bodies, for each parse thread: 170 usual pages, or 12 very large ones. */
const BYTES_MAX = 2 * 1024 * 1024;

/**
 * How many pages may stand between their fetch and their settle, in the whole process. More of them
 * make no page faster, only each one later: the limit grows while pages pass in time, and shrinks
 * when they do not (additive increase, multiplicative decrease, as TCP finds its window). Fetching
 * waits for room, so that it is never far ahead of parsing and indexing. Their bodies have a bound
 * of their own: each page takes memory in some places at once.
 */
export class Pipeline {
  readonly #bytesMax: number;
  #inside = 0;
  #bytes = 0;
  #limit = LIMIT_FIRST;
  /** Pages that entered before the last shrinking say nothing about the new limit. */
  #unheard = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(parseThreads = 1) {
    this.#bytesMax = BYTES_MAX * parseThreads;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get inside(): number {
    return this.#inside;
  }

  /** Resolves when another page has room, or when `signal` aborts. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.#free <= 0 && !signal.aborted) {
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

  /** `bytes`: of its body. */
  enter(bytes = 0): void {
    this.#inside++;
    this.#bytes += bytes;
  }

  /** `tookMs`: from the end of its answer to its settle. */
  leave(tookMs: number, bytes = 0): void {
    this.#inside--;
    this.#bytes -= bytes;
    if (this.#unheard > 0) this.#unheard--;
    else if (tookMs > TARGET_MS) this.#shrink();
    else this.#limit = Math.min(LIMIT_MAX, this.#limit + GROWTH / this.#limit);
    for (const wake of this.#waiting.splice(0, Math.max(0, this.#free))) wake();
  }

  /** Pages that there is room for, were they as large as those inside. */
  get #free(): number {
    const byCount = this.limit - this.#inside;
    if (this.#bytes === 0) return byCount;
    const pageBytes = this.#bytes / this.#inside;
    return Math.min(byCount, Math.ceil((this.#bytesMax - this.#bytes) / pageBytes));
  }

  #shrink(): void {
    this.#limit = Math.max(LIMIT_MIN, this.#limit * SHRINK);
    this.#unheard = this.#inside;
  }
}
