import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { addQuerySums, type QuerySum } from "../db/query-stats.ts";
import { causeFirst, type Log } from "../log.ts";

/** What was asked more seldom is never written down: it may say who asked. */
const ASKED_MIN = 3;
const SLOW_MS = 100;
const FLUSH_MS = 5_000;
/** Different queries that are counted at once; of more the longest unasked is forgotten. */
const COUNTED_MAX = 2_000;
const QUERY_LETTERS_MAX = 100;
/** Whoever types has gone on by then, or has what was meant. */
const TYPING_MS = 3_000;
const TYPING_MAX = 200;

/** Addresses of mail, and numbers as long as those of telephones, cards and people. */
const PERSONAL = /@|(?:\d[\s.-]*){7}/;

interface Answered {
  total: number;
  tookMs: number;
}

/**
 * Sums of what is asked for, without who asked and when. A query stays in the memory of this
 * process until it was asked a few times.
 */
export class QueryLog {
  readonly #deps: { db: Db; clock: Clock; log: Log };
  readonly #counted = new Map<string, { sum: QuerySum; isShared: boolean }>();
  /** Asked while it was typed: most of these are beginnings of what is meant. */
  readonly #typed = new Map<string, { answered: Answered; at: number }>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(deps: { db: Db; clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#flushAll();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.flush();
  }

  /** `isTyped`: it may be the beginning of another, which then is told in its place. */
  record(text: string, answered: Answered, isTyped: boolean): void {
    const query = text.trim().toLowerCase().replace(/\s+/g, " ");
    for (const other of this.#typed.keys()) {
      if (query.startsWith(other) || other.startsWith(query)) this.#typed.delete(other);
    }
    if (query === "" || query.length > QUERY_LETTERS_MAX || PERSONAL.test(query)) return;
    if (!isTyped) {
      this.#count(query, answered);
      return;
    }
    if (this.#typed.size >= TYPING_MAX) this.#typed.delete(this.#typed.keys().next().value!);
    this.#typed.set(query, { answered, at: this.#deps.clock.now() });
  }

  #countTyped(): void {
    const now = this.#deps.clock.now();
    for (const [query, { answered, at }] of this.#typed) {
      if (now - at < TYPING_MS) continue;
      this.#typed.delete(query);
      this.#count(query, answered);
    }
  }

  #count(query: string, { total, tookMs }: Answered): void {
    const known = this.#counted.get(query) ?? { sum: nothingOf(query), isShared: false };
    const sum = added(known.sum, {
      query,
      requests: 1,
      empty: total === 0 ? 1 : 0,
      slow: tookMs >= SLOW_MS ? 1 : 0,
      slowestMs: Math.round(tookMs),
    });
    // Asked again it is the youngest: the first of the map is the longest unasked.
    this.#counted.delete(query);
    this.#counted.set(query, { sum, isShared: known.isShared || sum.requests >= ASKED_MIN });
    if (this.#counted.size > COUNTED_MAX) {
      this.#counted.delete(this.#counted.keys().next().value!);
    }
  }

  /** Writes what was asked often enough. What cannot be written now waits, within the bound. */
  async flush(): Promise<void> {
    this.#countTyped();
    const told = [...this.#counted.values()].filter(
      ({ sum, isShared }) => isShared && sum.requests > 0,
    );
    if (told.length === 0) return;
    for (const { sum } of told) {
      this.#counted.set(sum.query, { sum: nothingOf(sum.query), isShared: true });
    }
    const sums = told.map(({ sum }) => sum);
    const day = new Date(this.#deps.clock.now()).toISOString().slice(0, 10);
    try {
      await addQuerySums(this.#deps.db, day, sums);
    } catch (error) {
      for (const sum of sums) this.#takeBack(sum);
      this.#deps.log.warn("queries.not_kept", { error: causeFirst(error) });
    }
  }

  #takeBack(sum: QuerySum): void {
    const known = this.#counted.get(sum.query);
    if (known !== undefined) known.sum = added(known.sum, sum);
  }

  async #flushAll(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#deps.clock.sleep(FLUSH_MS, signal);
      await this.flush();
    }
  }
}

const added = (one: QuerySum, other: QuerySum): QuerySum => ({
  query: one.query,
  requests: one.requests + other.requests,
  empty: one.empty + other.empty,
  slow: one.slow + other.slow,
  slowestMs: Math.max(one.slowestMs, other.slowestMs),
});

const nothingOf = (query: string): QuerySum => ({
  query,
  requests: 0,
  empty: 0,
  slow: 0,
  slowestMs: 0,
});
