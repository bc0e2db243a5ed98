/** Rejects with a TimeoutError when `work` takes longer than `ms`; the work itself goes on. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timeout(ms)), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function timeout(ms: number): Error {
  return Object.assign(new Error(`no answer within ${ms} ms`), { name: "TimeoutError" });
}
