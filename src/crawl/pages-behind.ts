import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { HostRow } from "../db/hosts.ts";
import type { TrapReason } from "../frontier/host-traps.ts";
import type { CrawlDeps } from "./deps.ts";
import { settleVisit } from "./settle-visit.ts";
import type { TurnUrls } from "./turn-urls.ts";
import type { NotAsked, UrlOutcome } from "./visit-event.ts";

/** Pages of one turn that are parsed, indexed and settled behind its requests, at most. */
const BEHIND_MAX = 8;

/** The pages of one turn whose answers are there, and what becomes of them. */
export class PagesBehind {
  readonly #pages = new Set<Promise<void>>();
  readonly #deps: CrawlDeps;
  readonly #host: HostRow;
  readonly #urls: TurnUrls;

  constructor(deps: CrawlDeps, host: HostRow, urls: TurnUrls) {
    this.#deps = deps;
    this.#host = host;
    this.#urls = urls;
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  settle(url: ClaimedUrl, result: UrlOutcome | NotAsked): void {
    const { id: hostId, name: host, domain } = this.#host;
    const lease = { hostId, host, domain, token: this.#urls.token };
    const { clock, pipeline, log } = this.#deps;
    const began = clock.now();
    const bytes = "body" in result ? result.body.byteLength : 0;
    pipeline.enter(bytes);
    const work = settleVisit(this.#deps, lease, url, result)
      .then((end) => {
        if (end === "give back") this.#urls.putBack(url);
        if (end === "unsettled") this.#urls.leaveUnsettled(url);
      })
      .catch((error) => log.error("visit.crashed", { url: url.url, error }))
      .finally(() => {
        pipeline.leave(clock.now() - began, bytes);
        this.#pages.delete(work);
      });
    this.#pages.add(work);
  }

  /** A URL that is not asked for after all. */
  async leaveAlone(url: ClaimedUrl, reason: TrapReason): Promise<void> {
    this.#deps.refusals.count(reason, this.#host.name);
    this.settle(url, { kind: "trapped", reason });
    await this.room();
  }

  /** Resolves when the next of them is settled. */
  async next(): Promise<void> {
    await Promise.race(this.#pages);
  }

  /** Resolves when there is room for another one. */
  async room(): Promise<void> {
    while (this.#pages.size >= BEHIND_MAX) await this.next();
  }

  async all(): Promise<void> {
    await Promise.all(this.#pages);
  }
}
