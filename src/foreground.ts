import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";

/**
 * Answers that somebody waits for. While there are any, threads whose work can wait stand back: a
 * lower priority alone (thread-priority.ts) leaves them their part of a core that the answer needs,
 * and of the caches that it reads from.
 */
const KEY = "foreground";

/** How many are awaited, of all threads of the process; null in a thread that was never told. */
const awaited = shared();

/** Of the time that passes at most so much is stood back, and so long at once. */
const SHARE = 0.5;
const AT_ONCE_MS = 50;

let allowanceMs = AT_ONCE_MS;
let looked = performance.now();

/** Counts `answer` as awaited until it is there. */
export async function inForeground<T>(answer: () => Promise<T>): Promise<T> {
  if (awaited !== null) Atomics.add(awaited, 0, 1);
  try {
    return await answer();
  } finally {
    if (awaited !== null && Atomics.sub(awaited, 0, 1) === 1) Atomics.notify(awaited, 0);
  }
}

/** Blocks this thread, never the main one, while answers are awaited, within its allowance. */
export function standBack(): void {
  if (isMainThread || awaited === null || Atomics.load(awaited, 0) === 0) return;
  const began = performance.now();
  allowanceMs = Math.min(AT_ONCE_MS, allowanceMs + (began - looked) * SHARE);
  looked = began;
  const until = began + allowanceMs;
  for (let left = allowanceMs; left > 0; left = until - looked) {
    const count = Atomics.load(awaited, 0);
    if (count === 0) break;
    Atomics.wait(awaited, 0, count, left);
    looked = performance.now();
  }
  allowanceMs -= looked - began;
}

function shared(): Int32Array | null {
  if (!isMainThread) return (getEnvironmentData(KEY) as Int32Array | undefined) ?? null;
  const made = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setEnvironmentData(KEY, made);
  return made;
}
