import type { Log } from "./log.ts";

interface Part {
  name: string;
  stop(): Promise<void>;
}

/** Longest that one part may take to stop. */
const PART_STOP_MS = 4_000;
/** All of them together: who stops a program kills it after ten seconds. */
const STOP_MS = 7_000;
/** A part whose turn comes when the time is up may still say its last word. */
const PART_STOP_MIN_MS = 200;

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
    const end = performance.now() + STOP_MS;
    for (const part of this.#parts.toReversed()) {
      const began = performance.now();
      const ms = Math.min(PART_STOP_MS, Math.max(PART_STOP_MIN_MS, end - began));
      const outcome = await withDeadline(part.stop(), ms);
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
    timer = setTimeout(() => done({ kind: "failed", why: `not within ${Math.round(ms)} ms` }), ms);
  });
  const ended = work.then(
    (): Stopped => ({ kind: "done" }),
    (error): Stopped => ({ kind: "failed", why: String(error) }),
  );
  const result = await Promise.race([ended, late]);
  clearTimeout(timer);
  return result;
}
