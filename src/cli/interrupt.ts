/** Ctrl-C under `npm start` comes twice: once from the terminal, once handed on by npm. */
const ECHO_MS = 500;

export interface Interrupt {
  /** Fires at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Resolves at a second one: the person does not want to wait. */
  readonly insisted: Promise<void>;
}

/** First of all: a signal that comes while modules load would else end the process by itself. */
export function listenForInterrupt(): Interrupt {
  const first = new AbortController();
  const { promise: insisted, resolve } = Promise.withResolvers<void>();
  let firstAt = 0;
  const interrupt = () => {
    if (!first.signal.aborted) {
      firstAt = performance.now();
      first.abort();
    } else if (performance.now() - firstAt > ECHO_MS) {
      resolve();
    }
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  return { signal: first.signal, insisted };
}

/** A signal ended what a command was waiting for: exit 130. */
export class Interrupted extends Error {
  constructor(message = "interrupted") {
    super(message);
  }
}

/**
 * What `work` brings; `graceMs` after a signal it throws: for what nobody can end, as a read of a
 * pipe.
 */
export async function unlessInterrupted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  graceMs = 0,
): Promise<T> {
  const over = new AbortController();
  work.catch(() => {});
  const interrupted = new Promise<never>((_, fail) => {
    const end = () => setTimeout(() => fail(new Interrupted()), graceMs);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    over.abort();
  }
}
