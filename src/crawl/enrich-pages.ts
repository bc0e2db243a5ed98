import {
  awaitSummaries,
  dropSummaries,
  dropSummaryWaits,
  endWaits,
  enrichmentDue,
  type WaitingDocument,
  waitingDocuments,
} from "../db/enrichment.ts";
import { rankedHosts, rankingAlone } from "../db/host-ranking.ts";
import type { Model } from "../enrich/model.ts";
import { causeFirst } from "../log.ts";
import type { Enrichment as Told } from "../search/port.ts";
import { rankOf } from "./host-ranks.ts";
import { Summaries, type SummariseDeps } from "./summarise-pages.ts";

/** Documents in one go: some 10 ms of the store. */
const BATCH = 500;
/** What one job may take; the next one comes when something waits still. */
const BUDGET_MS = 30_000;
/** Between two batches: as long as one took, so that others have half of the time at least. */
const PAUSE_MIN_MS = 20;
const PAUSE_MAX_MS = 1_000;
/** While summaries are made documents that came meanwhile are looked for. */
const LOOK_MS = 500;

export interface EnrichDeps extends Omit<SummariseDeps, "model"> {
  /** Null: nobody makes summaries. */
  model: Model | null;
  /** A part is down: everything waits. */
  isOpen: () => boolean;
}

/**
 * What is added to documents that are searchable already. Nothing waits for it: it takes what there
 * is to do in batches, and what of one was done before a kill is done once more.
 */
export class Enrichment {
  readonly #deps: EnrichDeps;
  readonly #summaries: Summaries | null;

  constructor(deps: EnrichDeps) {
    this.#deps = deps;
    const { model } = deps;
    this.#summaries = model === null ? null : new Summaries({ ...deps, model });
  }

  /** Is there something to do that can be done? */
  async isDue(): Promise<boolean> {
    const { waits, summaries } = await enrichmentDue(this.#deps.db);
    return waits || (summaries && this.#summaries?.isResting !== true);
  }

  /** The job: ends when nothing waits, or after its budget. Never throws. */
  async drain(signal: AbortSignal): Promise<void> {
    const { clock, isOpen, log } = this.#deps;
    const endsAt = clock.now() + BUDGET_MS;
    const isOver = () => clock.now() >= endsAt || isOpen();
    const asked = new AbortController();
    const summaries = this.#drainSummaries(signal, isOver).finally(() => asked.abort());
    const either = AbortSignal.any([signal, asked.signal]);
    const pages = async () => {
      do {
        await this.#drainPages(signal, isOver);
        await clock.sleep(LOOK_MS, either);
      } while (!either.aborted && !isOver());
      // Those that were found to want a summary after the last look for some.
      if (!signal.aborted && !isOver()) await this.#drainSummaries(signal, isOver);
    };
    for (const done of await Promise.allSettled([summaries, pages()])) {
      if (done.status === "fulfilled") continue;
      log.warn("enrich.failed", { error: causeFirst(done.reason) });
    }
  }

  async #drainPages(signal: AbortSignal, isOver: () => boolean): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted && !isOver()) {
      const began = clock.now();
      if ((await this.#drainBatch()) < BATCH) return;
      const tookMs = clock.now() - began;
      await clock.sleep(Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, tookMs)), signal);
    }
  }

  /** How many were done. */
  async #drainBatch(): Promise<number> {
    const { db } = this.#deps;
    const batch = await waitingDocuments(db, BATCH);
    if (batch.length === 0 || !(await this.#tell(batch))) return 0;
    await dropSummaries(
      db,
      batch.filter(({ refuses }) => refuses).map(({ urlId }) => urlId),
    );
    const wanting = this.#summaries === null ? [] : batch.filter((each) => each.wantsSummary);
    await awaitSummaries(db, wanting);
    await endWaits(db, batch);
    return batch.length;
  }

  /** Tells the index what the store knows of these; false: not now. */
  async #tell(batch: readonly WaitingDocument[]): Promise<boolean> {
    const { db, index } = this.#deps;
    const hosts = batch.flatMap(({ rankedHostId }) => rankedHostId ?? []);
    if (hosts.length > 0) {
      // Not beside who ranks hosts: what is older must not be told after what is newer.
      const put = await rankingAlone(db, async () =>
        index.rankHosts((await rankedHosts(db, [...new Set(hosts)])).map(rankOf)),
      );
      if (put === null || put.kind === "unavailable") return false;
    }
    const updates = batch.flatMap(({ urlId: id, contentHash, summary, refuses }): Told[] =>
      contentHash !== null && (summary !== null || refuses) ? [{ id, contentHash, summary }] : [],
    );
    if (updates.length === 0) return true;
    return (await index.enrich(updates)).kind !== "unavailable";
  }

  async #drainSummaries(signal: AbortSignal, isOver: () => boolean): Promise<void> {
    if (this.#summaries !== null) return await this.#summaries.drain(signal, isOver);
    // Of a time when there was a model: they wait for nothing.
    while (!signal.aborted && !isOver()) {
      if ((await dropSummaryWaits(this.#deps.db, BATCH)) < BATCH) return;
    }
  }
}
