export type Waited<T> = { kind: "done"; value: T } | { kind: "timeout" } | { kind: "aborted" };

/** Waits no longer than `timeoutMs`, nor beyond the signal; the work itself goes on. */
export function abortable<T>(
  work: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Waited<T>> {
  if (signal?.aborted) return Promise.resolve({ kind: "aborted" });
  return new Promise((done, fail) => {
    const end = (waited: Waited<T>) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      done(waited);
    };
    const abort = () => end({ kind: "aborted" });
    const timer = setTimeout(() => end({ kind: "timeout" }), timeoutMs);
    signal?.addEventListener("abort", abort, { once: true });
    work.then((value) => end({ kind: "done", value }), fail);
  });
}
