import { Batcher } from "../batch.ts";
import type { Clock } from "../clock.ts";
import type { Room } from "../db/admission-room.ts";
import type { Db } from "../db/connect.ts";
import { pairOf } from "../db/host-links.ts";
import { type SettledGroup, type SettleItem, settleGroup } from "../db/settle-group.ts";
import { isDataError, isOutage } from "../db/store-errors.ts";
import { appendVisits, type VisitRow } from "../db/visits.ts";
import { causeFirst, type Log } from "../log.ts";
import type { Breaker } from "./breaker.ts";
import type { Refusals } from "./discover.ts";
import type { LinkedPairs } from "./linked-pairs.ts";
import type { SeenKeys } from "./seen.ts";

/** The whole outcome of one visit, as one transaction writes it. */
export interface Settlement extends SettleItem {
  visit: VisitRow;
}

export type Settled =
  | "settled"
  /** The lease token is no longer the row's: someone else has the URL now. */
  | "lost"
  /** The store cannot be had; the claim stays until it is rescued. */
  | "unavailable"
  /** The store refuses just this row. */
  | "refused";

const GROUP_MAX = 128;
const GROUP_WAIT_MS = 4;
/** At full speed: 30 pages and more in a group, each the cheaper. */
const GROUP_BUSY_WAIT_MS = 40;
/**
 * One at a time: what comes meanwhile makes the next group the larger, and each page the cheaper.
 */
const GROUPS_AT_ONCE = 1;

/** While the store is away history waits for it: nothing is fetched meanwhile, so it is bounded. */
const HISTORY_RETRY_MS = 500;
const HISTORY_TRIES = 120;

/**
 * Group commit: the settles of all turns go in one transaction every few milliseconds. Each row is
 * fenced by its lease token, and documents and candidates are written only for the rows that came
 * back.
 */
export class Settler {
  readonly #settlements: Batcher<Settlement, Settled>;
  readonly #visits: Batcher<VisitRow, null>;
  readonly #deps: SettlerDeps;
  readonly #draining = new AbortController();

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
    this.#settlements = new Batcher((group) => this.#commit(group), {
      itemsMax: GROUP_MAX,
      waitMs: GROUP_WAIT_MS,
      busyWaitMs: GROUP_BUSY_WAIT_MS,
      parallel: GROUPS_AT_ONCE,
    });
    this.#visits = new Batcher((rows) => this.#history(rows), {
      itemsMax: 500,
      waitMs: 200,
      parallel: 1,
    });
  }

  settle(settlement: Settlement): Promise<Settled> {
    return this.#settlements.add(settlement);
  }

  /** A visit that counted on its host: history alone knows of it. */
  note(visit: VisitRow): void {
    void this.#visits.add(visit);
  }

  async drain(): Promise<void> {
    await this.#settlements.drain();
    this.#draining.abort();
    await this.#visits.drain();
  }

  async #commit(group: Settlement[]): Promise<Settled[]> {
    try {
      const written = await settleGroup(this.#deps.db, group, this.#deps.room);
      const { settled, woke, refused } = written;
      for (const settlement of group) {
        if (settled.has(settlement.row.id)) this.#committed(settlement, written);
        else this.#deps.log.info("lease.lost", { url: settlement.row.id });
      }
      if (refused.size > 0) this.#countRefused(group, refused);
      if (woke) this.#deps.wake();
      return group.map(({ row }) => (settled.has(row.id) ? "settled" : "lost"));
    } catch (error) {
      if (isDataError(error)) return await this.#commitApart(group, error);
      this.#deps.breaker.trip("postgres", causeFirst(error));
      return group.map(() => "unavailable");
    }
  }

  /** One bad row must not take its neighbours with it: halves, until it stands alone. */
  async #commitApart(group: Settlement[], error: unknown): Promise<Settled[]> {
    if (group.length === 1) {
      const fields = { url: group[0]!.row.id, error: causeFirst(error) };
      this.#deps.log.error("settle.refused", fields);
      return ["refused"];
    }
    const middle = group.length >> 1;
    const first = await this.#commit(group.slice(0, middle));
    return [...first, ...(await this.#commit(group.slice(middle)))];
  }

  #committed(settlement: Settlement, { refused, linked }: SettledGroup): void {
    const { seen, pairs } = this.#deps;
    for (const { key, pageKey } of settlement.candidates) {
      const reason = refused.get(key);
      if (reason === undefined || reason === "same page") seen.add(key);
      if (pageKey !== undefined && reason === undefined) seen.add(pageKey);
    }
    const { hostId, linkedHosts } = settlement;
    for (const name of linkedHosts) pairs.add(hostId, name, linked.has(pairOf(hostId, name)));
    void this.#visits.add(settlement.visit);
  }

  #countRefused(group: readonly Settlement[], refused: SettledGroup["refused"]): void {
    const hosts = new Map<string, string>();
    for (const { candidates } of group)
      for (const { key, host } of candidates) hosts.set(key, host);
    for (const [key, reason] of refused) {
      this.#deps.refusals.count(reason, reason === "same page" ? hosts.get(key) : undefined);
    }
  }

  async #history(rows: VisitRow[]): Promise<null[]> {
    const { db, clock, log } = this.#deps;
    for (let tries = 1; ; tries++) {
      try {
        await appendVisits(db, rows);
        break;
      } catch (error) {
        const mayCome = isOutage(error) && tries < HISTORY_TRIES && !this.#draining.signal.aborted;
        if (!mayCome) {
          log.warn("history.lost", { rows: rows.length, error: causeFirst(error) });
          break;
        }
        await clock.sleep(HISTORY_RETRY_MS, this.#draining.signal);
      }
    }
    return rows.map(() => null);
  }
}

export interface SettlerDeps {
  db: Db;
  clock: Clock;
  room: Room;
  seen: SeenKeys;
  pairs: LinkedPairs;
  refusals: Refusals;
  breaker: Breaker;
  wake: () => void;
  log: Log;
}
