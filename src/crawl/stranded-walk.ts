import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { wakeStrandedAfter } from "../db/dependants.ts";

/** Rows of one step: some milliseconds of the store. A million rows take three hours. */
const SLICE = 1_000;
/** From the end of one walk to the beginning of the next. */
const REST_MS = 300_000;

/**
 * Walks, slowly and for ever, through the URLs that are done, for those that count on a page which
 * is not there. Nearly all of them are found by the transaction that makes them so; this finds the
 * rest.
 */
export class StrandedWalk {
  readonly #db: Db;
  readonly #clock: Clock;
  #after = 0;
  #restsUntil = 0;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Gives the hosts that were woken. */
  async step(): Promise<number[]> {
    if (this.#clock.now() < this.#restsUntil) return [];
    const { next, hosts } = await wakeStrandedAfter(this.#db, this.#after, SLICE);
    this.#after = next ?? 0;
    if (next === null) this.#restsUntil = this.#clock.now() + REST_MS;
    return hosts;
  }
}
