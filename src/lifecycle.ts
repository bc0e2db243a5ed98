import type { Log } from "./log.ts";

/** Something with a life: what `start` opened, `stop` closes; stopping twice is safe. */
export interface Part {
  name: string;
  stop(): Promise<void>;
}

/** Longest that one part may take to stop; the whole program has 10 s. */
const PART_STOP_MS = 6_000;

/** Parts started in order and stopped in reverse, each within a deadline. */
export class Lifecycle {
  readonly #parts: Part[] = [];
  readonly #log: Log;
  #stopping: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, stop: () => Promise<void> | void): void {
    this.#parts.push({ name, stop: async () => stop() });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const part of this.#parts.toReversed()) {
      const began = performance.now();
      const outcome = await withDeadline(part.stop(), PART_STOP_MS);
      const fields = { part: part.name, ms: Math.round(performance.now() - began) };
      if (outcome.kind === "done") this.#log.debug("part.stopped", fields);
      else this.#log.warn("part.stop_failed", { ...fields, why: outcome.why });
    }
  }
}

type Stopped = { kind: "done" } | { kind: "failed"; why: string };

async function withDeadline(work: Promise<void>, ms: number): Promise<Stopped> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Stopped>((done) => {
    timer = setTimeout(() => done({ kind: "failed", why: `not within ${ms} ms` }), ms);
  });
  const ended = work.then(
    (): Stopped => ({ kind: "done" }),
    (error): Stopped => ({ kind: "failed", why: String(error) }),
  );
  const result = await Promise.race([ended, late]);
  clearTimeout(timer);
  return result;
}
