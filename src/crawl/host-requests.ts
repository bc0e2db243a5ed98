import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { Outcome, Slot } from "../fetch/outcome.ts";
import type { CrawlDeps } from "./deps.ts";
import type { HostGap } from "./host-gap.ts";

export type Sent = Outcome | { kind: "lease lost" };

/**
 * The requests of one turn for pages of its host: each not before its time, and under a lease that
 * is alive. None outlives the turn, or the next one would ask beside it.
 */
export class HostRequests {
  #isOver = false;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #cut = new AbortController();
  readonly #signal: AbortSignal;
  readonly #deps: CrawlDeps;
  readonly #gap: HostGap;
  readonly #workerId: string;

  constructor(deps: CrawlDeps, gap: HostGap, lease: { workerId: string; signal: AbortSignal }) {
    this.#deps = deps;
    this.#gap = gap;
    this.#workerId = lease.workerId;
    this.#signal = AbortSignal.any([lease.signal, this.#cut.signal]);
  }

  /** Sends when the time has come, and tells the answer. */
  async send<T>(
    url: ClaimedUrl,
    cookies: string | null,
    answered: (outcome: Sent) => T,
  ): Promise<T> {
    const request = this.#send(url, cookies).then(answered);
    this.#underWay.add(request);
    return await request.finally(() => this.#underWay.delete(request));
  }

  /** Lets none start any more; resolves when those under way are over and told. */
  async landed(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#underWay);
  }

  async cutOff(): Promise<void> {
    this.#cut.abort();
    await this.landed();
  }

  async #send(url: ClaimedUrl, cookies: string | null): Promise<Sent> {
    const { clock, client, config, heartbeat } = this.#deps;
    const startAt = this.#gap.reserveStart();
    while (!this.#signal.aborted && clock.now() < startAt) {
      await clock.sleep(startAt - clock.now(), this.#signal);
    }
    if (!heartbeat.isFresh(this.#workerId)) return { kind: "lease lost" };
    if (this.#isOver) return { kind: "no slot" };
    return await client.fetch({
      url: url.url,
      validators: { etag: url.etag, lastModified: url.lastModified },
      ...(cookies !== null && { cookies }),
      accept: "page",
      bytesMax: config.fetch.bytesMax,
      timeoutMs: config.fetch.timeoutMs,
      signal: this.#signal,
      slot: (address, signal) => this.#slot(address, signal),
    });
  }

  async #slot(address: string, signal?: AbortSignal): Promise<Slot | null> {
    const slot = await this.#deps.slots.acquire(address, signal);
    // The last look before a request: a worker that was frozen must not send it when it wakes.
    if (slot && (this.#isOver || !this.#deps.heartbeat.isFresh(this.#workerId))) {
      slot.release();
      return null;
    }
    return slot;
  }
}
