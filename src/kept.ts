/**
 * An answer that is asked for often and costs something: computed once for all who ask, kept for
 * `keepMs`, and for longer the longer it takes, so that it never uses more than a tenth of the
 * time.
 */
export function kept<T>(
  read: () => Promise<T>,
  keepMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let value: Promise<T> | null = null;
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    const began = now();
    if (value !== null && began < until) return value;
    until = Number.POSITIVE_INFINITY;
    const reading = read();
    value = reading;
    reading.then(
      () => {
        until = now() + Math.max(keepMs, 9 * (now() - began));
      },
      () => {
        value = null;
        until = Number.NEGATIVE_INFINITY;
      },
    );
    return reading;
  };
}
