import type { Program } from "../support/program.ts";
import { seeded } from "./corpus.ts";
import { type Spread, spread } from "./figures.ts";
import { askedQuery } from "./search-kinds.ts";
import { typedText } from "./suggest-kinds.ts";

export interface SearchLoadOptions {
  perSecond: number;
  /** Of the corpus that was put before: each has a word that is asked for. */
  documents: number;
}

const GRACE_MS = 10_000;

/**
 * Asks /api/search, and /suggest as often, at an even pace, whether the answers keep up or not: who
 * waits for an answer before the next question hides the slow ones.
 */
export class SearchLoad {
  readonly #options: SearchLoadOptions;
  readonly #searches = new Map<string, number[]>();
  readonly #suggestions = new Map<string, number[]>();
  #failed = 0;

  constructor(options: SearchLoadOptions) {
    this.#options = options;
  }

  start(program: Program): { stop(): Promise<void> } {
    const random = seeded(7);
    const typing = seeded(13);
    const open = new Set<Promise<void>>();
    const ask = (path: string, times: Map<string, number[]>, kind: string) => {
      const asking = this.#ask(`${program.url}${path}`, times, kind).finally(() => {
        open.delete(asking);
      });
      open.add(asking);
    };
    const began = performance.now();
    let asked = 0;
    const tick = () => {
      const due = ((performance.now() - began) * this.#options.perSecond) / 1_000;
      for (; asked < due; asked++) {
        const { kind, query, sort } = askedQuery(asked, random, this.#options.documents);
        ask(`/api/search?${new URLSearchParams({ q: query, sort })}`, this.#searches, kind);
        const typed = typedText(asked, typing);
        const parameters = new URLSearchParams({ q: typed.text });
        ask(`/suggest?${parameters}`, this.#suggestions, typed.kind);
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

  async #ask(url: string, byKind: Map<string, number[]>, kind: string): Promise<void> {
    const began = performance.now();
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(GRACE_MS) });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${answer.status}`);
      byKind.set(kind, [...(byKind.get(kind) ?? []), performance.now() - began]);
    } catch {
      this.#failed++;
    }
  }

  /** In milliseconds, as the caller sees them. */
  figures() {
    return {
      failed: this.#failed,
      ...spreadsOf(this.#searches),
      suggestions: spreadsOf(this.#suggestions),
    };
  }
}

function spreadsOf(byKind: ReadonlyMap<string, readonly number[]>): {
  ms: Spread;
  ms_by_kind: Record<string, Spread>;
} {
  const kinds = [...byKind];
  return {
    ms: spread(kinds.flatMap(([, times]) => times)),
    ms_by_kind: Object.fromEntries(kinds.map(([kind, times]) => [kind, spread(times)])),
  };
}
