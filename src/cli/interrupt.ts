/** Ctrl-C under `npm start` comes twice: once from the terminal, once handed on by npm. */
const ECHO_MS = 500;

export interface Interrupt {
  /** Fires at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Resolves at a second one: the person does not want to wait. */
  readonly insisted: Promise<void>;
}

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
