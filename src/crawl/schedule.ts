import { forgetAddresses } from "../db/addresses.ts";
import { comeDue, releaseStale, wakeOverlooked } from "../db/due.ts";
import { dueHosts } from "../db/hosts.ts";
import { forgetQueries } from "../db/query-stats.ts";
import { wakeRefusedLinks } from "../db/refused-links.ts";
import { wakeRefusedSitemaps } from "../db/refused-sitemaps.ts";
import { pruneSessions } from "../db/sessions.ts";
import { dropPartitions, ensurePartitions } from "../db/visit-partitions.ts";
import { forgetDeadWorkers } from "../db/workers.ts";
import { causeFirst, type Log } from "../log.ts";
import type { Backend } from "../queue/backend.ts";
import { countWaiting, enqueueTurns } from "../queue/enqueue.ts";
import type { Waker } from "../waker.ts";
import { rankWhenStale } from "./authority.ts";
import { RanksWalk } from "./host-ranks.ts";
import { mendDue } from "./mend-index.ts";
import type { OperateDeps } from "./move-url.ts";
import { RegionChore } from "./region-turn.ts";
import { rescue } from "./rescue.ts";
import { StrandedWalk } from "./stranded-walk.ts";
import { finishForgotten } from "./whole-host.ts";

const TICK_MS = 250;
/** No sooner than this after the last look, however often it is woken. */
const TICK_MIN_MS = 50;
/** Turns that may stand in the carrier, as a multiple of those that run at once. */
const STANDING = 2;

/** Pages that are read again at one look for room. */
const REFUSED_AT_ONCE = 200;
const SITEMAPS_AT_ONCE = 20;

interface Chore {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

export interface ScheduleDeps extends OperateDeps {
  log: Log;
  backend: Backend;
  waker: Waker;
  /** While a part is down nothing is scheduled. */
  isOpen: () => boolean;
}

/**
 * The role `schedule`: gives every due host a place among the turns, and does the chores of the
 * frontier. All of it is idempotent: several schedulers disturb nobody.
 */
export class Schedule {
  readonly #stop = new AbortController();
  #loops: Promise<void>[] = [];
  readonly #deps: ScheduleDeps;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await ensurePartitions(this.#deps.db, new Date(this.#deps.clock.now()));
    this.#loops = [this.#tickLoop(), ...this.#chores().map((chore) => this.#choreLoop(chore))];
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  async #tickLoop(): Promise<void> {
    const { clock, waker } = this.#deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (!this.#deps.isOpen()) await this.#guarded("schedule.tick", () => this.#tick());
      await clock.sleep(TICK_MIN_MS, signal);
      await waker.wait(TICK_MS, clock, signal);
    }
  }

  async #tick(): Promise<void> {
    const { db, config, backend, log } = this.#deps;
    const standing = await countWaiting(backend, "turns");
    if (standing === null) return;
    const hosts = await dueHosts(db, STANDING * config.work.turns - standing);
    const wanted = hosts.map(({ id, lane }) => ({ hostId: id, lane }));
    const enqueued = await enqueueTurns(backend, wanted);
    if (enqueued.kind === "refused") log.warn("turns.refused", { detail: enqueued.detail });
  }

  #chores(): Chore[] {
    const { db, config, clock, waker } = this.#deps;
    const stranded = new StrandedWalk(db, clock);
    const region = new RegionChore(this.#deps);
    const ranks = new RanksWalk(this.#deps);
    const woke = (hosts: readonly number[]) => {
      if (hosts.length > 0) waker.wake();
    };
    return [
      { name: "rescue", everyMs: 500, run: async () => woke(await rescue(this.#deps)) },
      { name: "mend_index", everyMs: 500, run: () => this.#mendIndex() },
      { name: "come_due", everyMs: 10_000, run: async () => woke(await comeDue(db, 1_000)) },
      {
        name: "release_stale",
        everyMs: 60_000,
        run: async () => woke(await releaseStale(db, config.work.leaseMs)),
      },
      { name: "room", everyMs: 2_000, run: () => this.#fillRoom() },
      { name: "stranded", everyMs: 10_000, run: async () => woke(await stranded.step()) },
      { name: "host_ranks", everyMs: 10_000, run: () => this.#alignRanks(ranks) },
      { name: "authority", everyMs: 300_000, run: () => this.#rankHosts() },
      { name: "forget", everyMs: 30_000, run: () => finishForgotten(this.#deps) },
      { name: "region", everyMs: 30_000, run: () => region.step() },
      {
        name: "history",
        everyMs: 3_600_000,
        run: async () => {
          const now = clock.now();
          await ensurePartitions(db, new Date(now));
          const past = new Date(now - config.data.historyDays * 86_400_000);
          await dropPartitions(db, past);
          await forgetQueries(db, past);
          await forgetDeadWorkers(db);
          await forgetAddresses(db);
          await pruneSessions(db, new Date(now));
          await wakeOverlooked(db);
        },
      },
    ];
  }

  /** What names URLs that there was no room for is read again when there is. */
  async #fillRoom(): Promise<void> {
    const { db, config, waker } = this.#deps;
    const pages = await wakeRefusedLinks(db, config.scope, REFUSED_AT_ONCE);
    const sitemaps = await wakeRefusedSitemaps(db, config.scope, SITEMAPS_AT_ONCE);
    if (pages + sitemaps > 0) waker.wake();
  }

  async #mendIndex(): Promise<void> {
    const mended = await mendDue(this.#deps);
    if (mended.kind === "mended") return;
    this.#deps.log.warn("index.not_mended", { detail: mended.detail });
  }

  async #alignRanks(walk: RanksWalk): Promise<void> {
    const aligned = await walk.step();
    if (aligned.kind === "aligned") return;
    this.#deps.log.warn("index.not_ranked", { detail: aligned.detail });
  }

  async #rankHosts(): Promise<void> {
    const ranking = await rankWhenStale(this.#deps);
    if (ranking.kind !== "failed") return;
    this.#deps.log.warn("authority.not_ranked", { detail: ranking.detail });
  }

  async #choreLoop({ name, everyMs, run }: Chore): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (!this.#deps.isOpen()) await this.#guarded(`schedule.${name}`, run);
      await this.#deps.clock.sleep(everyMs, signal);
    }
  }

  /** A store that is away for a while must not end the scheduler. */
  async #guarded(event: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#deps.log.warn(`${event}_failed`, { error: causeFirst(error) });
    }
  }
}
