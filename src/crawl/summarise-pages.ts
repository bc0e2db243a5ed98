import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import {
  type DueSummary,
  dueSummaries,
  endSummaryWaits,
  putOffSummary,
  saveSummary,
} from "../db/enrichment.ts";
import type { Model } from "../enrich/model.ts";
import { summarise } from "../enrich/summarise.ts";
import type { Log } from "../log.ts";
import type { SearchIndex } from "../search/port.ts";
import { unpackText } from "../text/packed.ts";
import { allowsAiInput } from "./machine-use.ts";

/** Questions in flight at the model. */
const AT_ONCE = 2;
/** Answers of no use that a page gets, one minute and then two apart. */
const ATTEMPTS_MAX = 3;
const RETRY_MS = 60_000;
/** After so many in a row it is the model and not the pages. */
const FAILURES_MAX = 3;
const PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 300_000;

export interface SummariseDeps {
  db: Db;
  index: SearchIndex;
  clock: Clock;
  log: Log;
  model: Model;
  robotsToken: string;
}

type Allowed = DueSummary & { page: NonNullable<DueSummary["page"]> };

/**
 * Summaries of the pages that wait for one, for as long as the model is there. While it is not, it
 * is left alone, longer each time, and nobody but summaries waits for it.
 */
export class Summaries {
  readonly #deps: SummariseDeps;
  #failures = 0;
  #pauseMs = 0;
  #restsUntil = 0;

  constructor(deps: SummariseDeps) {
    this.#deps = deps;
  }

  get isResting(): boolean {
    return this.#deps.clock.now() < this.#restsUntil;
  }

  /** Until nothing is due, `isOver`, or the model is to be left alone. */
  async drain(signal: AbortSignal, isOver: () => boolean): Promise<void> {
    while (!signal.aborted && !this.isResting && !isOver()) {
      // After a pause one question tells whether it is back.
      const due = await dueSummaries(this.#deps.db, this.#pauseMs > 0 ? 1 : AT_ONCE);
      if (due.length === 0) return;
      const allowed = await this.#allowed(due);
      const refused = due.filter((each) => !allowed.some(({ urlId }) => urlId === each.urlId));
      await endSummaryWaits(this.#deps.db, refused);
      await Promise.all(allowed.map((each) => this.#make(each, signal)));
    }
  }

  async #allowed(due: readonly DueSummary[]): Promise<Allowed[]> {
    const there = due.filter((each): each is Allowed => each.page !== null);
    const urls = there.map(({ page }) => page.url);
    const allowed = await allowsAiInput(this.#deps.db, urls, this.#deps.robotsToken);
    return there.filter(({ page }) => allowed.has(page.url));
  }

  async #make(due: Allowed, signal: AbortSignal): Promise<void> {
    const { title, lang, text } = due.page;
    const page = { title, lang, text: unpackText(text) };
    const made = await summarise(this.#deps.model, page, signal);
    if (signal.aborted) return;
    switch (made.kind) {
      case "summary":
        this.#works();
        return await this.#keep(due, made.summary);
      case "failed":
        return await this.#fail(due, made.detail);
      case "away":
        return this.#rest(made.detail);
      default:
        return made satisfies never;
    }
  }

  /** The index first, as everywhere: what it was not told of is made again. */
  async #keep({ urlId, contentHash }: Allowed, summary: string): Promise<void> {
    const { db, index } = this.#deps;
    const put = await index.enrich([{ id: urlId, contentHash, summary }]);
    if (put.kind === "unavailable") return this.#rest(`the index: ${put.detail}`);
    if (!(await saveSummary(db, { urlId, contentHash, summary }))) {
      // It may refuse machine use since it was asked for, and the index be told before this.
      const taken = await index.enrich([{ id: urlId, contentHash, summary: null }]);
      if (taken.kind === "unavailable") return this.#rest(`the index: ${taken.detail}`);
    }
    await endSummaryWaits(db, [{ urlId, contentHash }]);
  }

  async #fail(due: Allowed, detail: string): Promise<void> {
    const { db, log } = this.#deps;
    const attempts = due.attempts + 1;
    if (attempts < ATTEMPTS_MAX) {
      await putOffSummary(db, { ...due, attempts }, RETRY_MS * 2 ** due.attempts);
    } else {
      log.info("summary.given_up", { url: due.page.url, detail });
      await endSummaryWaits(db, [due]);
    }
    if (++this.#failures >= FAILURES_MAX) this.#rest(detail);
  }

  #works(): void {
    if (this.#pauseMs > 0) this.#deps.log.info("model.back");
    this.#failures = 0;
    this.#pauseMs = 0;
  }

  #rest(detail: string): void {
    if (this.isResting) return;
    if (this.#pauseMs === 0) this.#deps.log.warn("model.away", { detail });
    this.#pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MS, this.#pauseMs * 2));
    this.#restsUntil = this.#deps.clock.now() + this.#pauseMs;
  }
}
