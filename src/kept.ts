/** However long a reading took: nobody is told of a world that is older. */
const KEEP_MAX_MS = 10_000;
/** A reading that is not over by then is of no world at all; the next one who asks has his own. */
const READING_MAX_MS = 10_000;

export interface KeptOptions {
  /** A value for nobody who asks later than this; longer the longer it takes to read. */
  keepMs: number;
  /**
   * Differs before and after an outage of what is read: a value from before it, or one whose
   * reading spans it, is old when it comes.
   */
  era?: () => unknown;
  now?: () => number;
}

interface Reading<T> {
  readonly value: Promise<T>;
  readonly era: unknown;
  /** Shared until then; once it is over: kept until then. */
  until: number;
}

/**
 * An answer that is asked for often and costs something: computed once for all who ask, kept for
 * `keepMs`, and for longer the longer it takes, so that it never uses more than a tenth of the
 * time; but never long.
 */
export function kept<T>(
  read: () => Promise<T>,
  { keepMs, era = () => null, now = () => performance.now() }: KeptOptions,
): () => Promise<T> {
  let last: Reading<T> | null = null;
  return () => {
    const began = now();
    if (last !== null && began < last.until && last.era === era()) return last.value;
    const reading = { value: read(), era: era(), until: began + READING_MAX_MS };
    last = reading;
    reading.value.then(
      () => {
        const tookMs = now() - began;
        const keptMs = Math.min(KEEP_MAX_MS, Math.max(keepMs, 9 * tookMs));
        reading.until = tookMs < READING_MAX_MS ? began + tookMs + keptMs : began;
      },
      () => {
        reading.until = began;
      },
    );
    return reading.value;
  };
}
