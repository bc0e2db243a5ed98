import type { HostRow } from "../../src/db/hosts.ts";
import type { TestCrawl } from "./crawl.ts";

/** What a host looked like at a moment (epoch ms). */
export interface HostMoment {
  at: number;
  state: HostRow["state"];
  reason: string | null;
  /** Token of the turn that it had. */
  turn: string | null;
  nextTurnAt: number | null;
  failures: number;
}

const EVERY_MS = 40;

/** Looks at every host many times a second: a state that comes and goes is seen. */
export class HostJournal {
  readonly #moments = new Map<string, HostMoment[]>();
  readonly #stop = new AbortController();
  readonly #loop: Promise<void>;

  constructor(crawl: TestCrawl) {
    this.#loop = this.#watch(crawl);
  }

  /** Moments of a host from `since` to `until`, in order. */
  of(host: string, since = 0, until = Number.POSITIVE_INFINITY): HostMoment[] {
    return (this.#moments.get(host) ?? []).filter(({ at }) => at >= since && at <= until);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #watch({ database: { sql } }: TestCrawl): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const rows =
        await sql`select name, state, reason, turn_token, next_turn_at, failures from hosts`;
      const at = Date.now();
      for (const row of rows) {
        const moments = this.#moments.get(row.name) ?? [];
        this.#moments.set(row.name, moments);
        const nextTurnAt = row.next_turn_at === null ? null : Date.parse(row.next_turn_at);
        const { state, reason, turn_token: turn, failures } = row;
        moments.push({ at, state, reason, turn, nextTurnAt, failures });
      }
      await Bun.sleep(EVERY_MS);
    }
  }
}
