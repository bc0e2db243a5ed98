import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { FetchRequest, Outcome, Slot } from "../fetch/outcome.ts";
import type { CrawlDeps } from "./deps.ts";
import type { HostGap } from "./host-gap.ts";

/** Under which a turn asks: `stop` when the program ends, `lost` when the lease is another's. */
export interface HostLease {
  workerId: string;
  stop: AbortSignal;
  lost: AbortSignal;
}

/** What is asked for; that it may be, and how, is the turn's business. */
export type Asked = Omit<FetchRequest, "signal" | "slot">;

export type Sent = Outcome | { kind: "lease lost" };

/** Was anything said to the host? Then its gap runs. */
export const wasSent = ({ kind }: Outcome): boolean =>
  kind !== "no slot" && kind !== "refused" && kind !== "unreachable";

/**
 * The requests of one turn at its host: each not before its time, and under a lease that
 * is alive. None outlives the turn, or the next one would ask beside it.
 */
export class HostRequests {
  #isOver = false;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #cut = new AbortController();
  /** None starts any more. */
  readonly #leaving: AbortSignal;
  /** Those under way are cut off: the turn is another's, or has waited long enough. */
  readonly #cutting: AbortSignal;
  readonly #deps: CrawlDeps;
  readonly #gap: HostGap;
  readonly #workerId: string;

  constructor(deps: CrawlDeps, gap: HostGap, lease: HostLease) {
    this.#deps = deps;
    this.#gap = gap;
    this.#workerId = lease.workerId;
    this.#cutting = AbortSignal.any([lease.lost, this.#cut.signal]);
    this.#leaving = AbortSignal.any([lease.stop, this.#cutting]);
  }

  /** Sends when the time has come, and tells the answer. */
  async send<T>(asked: Asked, answered: (outcome: Sent) => T | Promise<T>): Promise<T> {
    const request = this.#send(asked).then(answered);
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

  async #send(asked: Asked): Promise<Sent> {
    const { clock, client, heartbeat } = this.#deps;
    const startAt = this.#gap.reserveStart();
    while (!this.#leaving.aborted && clock.now() < startAt) {
      await clock.sleep(startAt - clock.now(), this.#leaving);
    }
    if (!heartbeat.isFresh(this.#workerId)) return { kind: "lease lost" };
    if (this.#isOver || this.#leaving.aborted) return { kind: "no slot" };
    return await client.fetch({
      ...asked,
      signal: this.#cutting,
      slot: (address) => this.#slot(address),
    });
  }

  async #slot(address: string): Promise<Slot | null> {
    const slot = await this.#deps.slots.acquire(address, this.#leaving);
    // The last look before a request: a worker that was frozen must not send it when it wakes.
    const mayGo = !this.#isOver && !this.#leaving.aborted;
    if (slot && !(mayGo && this.#deps.heartbeat.isFresh(this.#workerId))) {
      slot.release();
      return null;
    }
    return slot;
  }
}

export function pageRequest(
  { config }: Pick<CrawlDeps, "config">,
  url: ClaimedUrl,
  cookies: string | null,
): Asked {
  return {
    url: url.url,
    validators: { etag: url.etag, lastModified: url.lastModified },
    ...(cookies !== null && { cookies }),
    accept: "page",
    bytesMax: config.fetch.bytesMax,
    timeoutMs: config.fetch.timeoutMs,
  };
}
