/** How late the event loop came to what was due, in milliseconds. */
export interface LoopLag {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Any stall of 50 ms is seen; half of this would cost an idle program twice the wake-ups. */
const EVERY_MS = 20;
const WINDOW_MS = 60_000;

/**
 * What something due at any moment of the last minute would have waited for the loop. The monitor
 * of `node:perf_hooks` works too, but counts a stall of a second as one late tick among thousands,
 * so that its p99 hides the worst, and has no window that slides.
 */
export class LoopLagMeter {
  readonly #window = new LagWindow();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = 0;

  start(): void {
    this.#dueAt = performance.now() + EVERY_MS;
    // Not an interval: it would make up for a late tick by an early one.
    this.#timer = setTimeout(() => {
      this.#window.add(performance.now() - this.#dueAt);
      this.start();
    }, EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Null before the first tick. */
  read(): LoopLag | null {
    return this.#window.read();
  }
}

/** The newest of evenly spaced moments, each with what it waited. */
export class LagWindow {
  readonly #lateMs: Float32Array;
  readonly #everyMs: number;
  #count = 0;

  constructor(everyMs = EVERY_MS, windowMs = WINDOW_MS) {
    this.#everyMs = everyMs;
    this.#lateMs = new Float32Array(Math.ceil(windowMs / everyMs));
  }

  /** One tick: those that would have come while it was late waited too, each a step less. */
  add(lateMs: number): void {
    const size = this.#lateMs.length;
    const missed = Math.min(size - 1, Math.floor(Math.max(0, lateMs) / this.#everyMs));
    for (let nth = 0; nth <= missed; nth += 1) {
      this.#lateMs[this.#count % size] = Math.max(0, lateMs - nth * this.#everyMs);
      this.#count += 1;
    }
  }

  read(): LoopLag | null {
    if (this.#count === 0) return null;
    const sorted = this.#lateMs.slice(0, this.#count).sort();
    const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    return { p50Ms: rank(0.5), p99Ms: rank(0.99), maxMs: rank(1) };
  }
}
