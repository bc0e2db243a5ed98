/** Time, passed in wherever a decision depends on it, so that a test can turn the hands. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest wait a timer can hold; above it JavaScript timers fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((done) => {
      if (signal?.aborted) return done();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        done();
      };
      const timer = setTimeout(wake, Math.min(Math.max(0, ms), TIMER_MAX_MS));
      signal?.addEventListener("abort", wake, { once: true });
    }),
};
