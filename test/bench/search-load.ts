import type { Program } from "../support/program.ts";
import { seeded } from "./corpus.ts";
import { type Spread, spread } from "./figures.ts";
import { askedQuery } from "./search-kinds.ts";

export interface SearchLoadOptions {
  perSecond: number;
  /** Of the corpus that was put before: each has a word that is asked for. */
  documents: number;
}

const GRACE_MS = 10_000;

/**
 * Asks /api/search at an even pace, whether the answers keep up or not: who waits for an answer
 * before the next question hides the slow ones.
 */
export class SearchLoad {
  readonly #options: SearchLoadOptions;
  readonly #byKind = new Map<string, number[]>();
  #failed = 0;

  constructor(options: SearchLoadOptions) {
    this.#options = options;
  }

  start(program: Program): { stop(): Promise<void> } {
    const random = seeded(7);
    const open = new Set<Promise<void>>();
    const began = performance.now();
    let asked = 0;
    const tick = () => {
      const due = ((performance.now() - began) * this.#options.perSecond) / 1_000;
      for (; asked < due; asked++) {
        const { kind, query, sort } = askedQuery(asked, random, this.#options.documents);
        const parameters = new URLSearchParams({ q: query, sort });
        const asking = this.#ask(program, kind, parameters).finally(() => open.delete(asking));
        open.add(asking);
      }
    };
    const timer = setInterval(tick, 5);
    return {
      stop: async () => {
        clearInterval(timer);
        await Promise.all(open);
      },
    };
  }

  async #ask(program: Program, kind: string, query: URLSearchParams): Promise<void> {
    const began = performance.now();
    try {
      const answer = await fetch(`${program.url}/api/search?${query}`, {
        signal: AbortSignal.timeout(GRACE_MS),
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${answer.status}`);
      this.#byKind.set(kind, [...(this.#byKind.get(kind) ?? []), performance.now() - began]);
    } catch {
      this.#failed++;
    }
  }

  /** In milliseconds, as the caller sees them. */
  figures(): { failed: number; ms: Spread; ms_by_kind: Record<string, Spread> } {
    const kinds = [...this.#byKind];
    return {
      failed: this.#failed,
      ms: spread(kinds.flatMap(([, times]) => times)),
      ms_by_kind: Object.fromEntries(kinds.map(([kind, times]) => [kind, spread(times)])),
    };
  }
}
