/** How a part answers: as it should, late, with a no, or not at all. */
export type Health = "up" | "slow" | "refused" | "down";

const SLOW_MS = 1_000;
const SILENT_MS = 5_000;

/** Times `ask`, a small write: a store that is full or read-only still answers reads. */
export async function measureHealth(
  ask: () => Promise<unknown>,
  isRefusal: (error: unknown) => boolean,
  now: () => number,
): Promise<Health> {
  const startedAt = now();
  try {
    const answer = await within(ask(), SILENT_MS);
    if (answer.kind === "timeout") return "down";
    return now() - startedAt > SLOW_MS ? "slow" : "up";
  } catch (error) {
    return isRefusal(error) ? "refused" : "down";
  }
}

export type Timely<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "timeout" };

/** Stops waiting after `ms`; what was asked for goes on, and its late error is swallowed. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<Timely<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<Timely<T>>((done) => {
    timer = setTimeout(() => done({ kind: "timeout" }), ms);
  });
  promise.catch(() => {});
  try {
    return await Promise.race([
      promise.then((value) => ({ kind: "value" as const, value })),
      timeout,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
