import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { type HostFactorRow, type RankingRow, readSavedRanking } from "../db/ranking.ts";
import { causeFirst, type Log } from "../log.ts";
import { isSignalName, type Ranking } from "../ranking.ts";
import {
  inEffect,
  NOTHING_SAVED,
  type RankingInEffect,
  readLastRanking,
  type SavedRanking,
  writeLastRanking,
} from "./saved-ranking.ts";

const REFRESH_MS = 2_000;

export interface RankingWatchDeps {
  db: Db;
  clock: Clock;
  log: Log;
  dataDir: string;
  /** Of the setting RANKING. */
  configured: Ranking;
}

/**
 * The ranking in effect, held in memory and read anew every two seconds, so that no search asks the
 * store. While that is away the last one known stays, beyond a restart too: it lies in DATA_DIR,
 * where a search from the shell finds it.
 */
export class RankingWatch {
  readonly #deps: RankingWatchDeps;
  readonly #stopping = new AbortController();
  #effect: RankingInEffect;
  #rows: { signals: RankingRow[]; hosts: HostFactorRow[] } = { signals: [], hosts: [] };
  #written = "";
  #reading: Promise<void> | null = null;
  #loop: Promise<void> | null = null;

  constructor(deps: RankingWatchDeps) {
    this.#deps = deps;
    this.#effect = inEffect(deps.configured, NOTHING_SAVED);
  }

  async start(): Promise<void> {
    this.#effect = inEffect(this.#deps.configured, await readLastRanking(this.#deps.dataDir));
    await this.#look();
    this.#loop = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  get current(): RankingInEffect {
    return this.#effect;
  }

  /** What is saved, as it was last read. */
  get saved(): { signals: readonly RankingRow[]; hosts: readonly HostFactorRow[] } {
    return this.#rows;
  }

  /** One that was under way may have read before what is to be seen now. */
  async refresh(): Promise<void> {
    await this.#reading?.catch(() => {});
    await this.#refreshOnce();
  }

  #refreshOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #watch(): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await clock.sleep(REFRESH_MS, signal);
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    await this.#refreshOnce().catch((error) =>
      this.#deps.log.warn("ranking.refresh_failed", { error: causeFirst(error) }),
    );
  }

  async #read(): Promise<void> {
    const { db, configured, dataDir, log } = this.#deps;
    const rows = await readSavedRanking(db);
    const saved = savedOf(rows);
    this.#rows = rows;
    const text = JSON.stringify(saved);
    if (text === this.#written) return;
    this.#effect = inEffect(configured, saved);
    this.#written = text;
    await writeLastRanking(dataDir, text).catch((error) => {
      // Whoever searches from the shell then sees an older one; this process does not.
      log.warn("ranking.not_kept", { error: causeFirst(error) });
    });
  }
}

function savedOf({ signals, hosts }: RankingWatch["saved"]): SavedRanking {
  const ranking: Ranking = {};
  for (const { signal, enabled, weight } of signals) {
    if (isSignalName(signal)) ranking[signal] = { enabled, weight };
  }
  return { ranking, hosts: Object.fromEntries(hosts.map(({ host, factor }) => [host, factor])) };
}
