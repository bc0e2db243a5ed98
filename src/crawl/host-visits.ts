import { isIP } from "node:net";
import type { Fetched, Step, TurnEnd } from "../actors/host.ts";
import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { HostRow } from "../db/hosts.ts";
import type { Outcome, Slot } from "../fetch/outcome.ts";
import { delayOf, nextSlowDelay } from "../frontier/politeness.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { authority } from "../url/host.ts";
import type { CrawlDeps } from "./deps.ts";
import { settleVisit } from "./settle-visit.ts";
import type { TurnUrls } from "./turn-urls.ts";
import type { Disallowed, UrlOutcome } from "./visit-event.ts";
import { visitRow } from "./visit-row.ts";

/** Pages of one turn that are parsed, indexed and settled behind its requests, at most. */
const BEHIND_MAX = 8;
/** Longer gaps end the turn and are honoured by its next one: no worker is held for them. */
const HOLD_MAX_MS = 5_000;

/** The I/O of a host actor: what its states do at the host, and what its turn must remember. */
export class HostVisits {
  answered = false;
  nextFetchAt: number;
  robotsDelayMs: number | null;
  slowDelayMs: number | null;
  readonly host: HostRow;
  readonly #behind = new Set<Promise<void>>();
  readonly #chosen = new Map<number, ClaimedUrl>();
  #prepared: Promise<Step<{ urlId: number }>> | null = null;
  #waiting: (TurnEnd & { kind: "waiting for robots" }) | null = null;
  #resolving: Promise<Step> | null = null;
  readonly #deps: CrawlDeps;
  readonly #urls: TurnUrls;
  readonly #workerId: string;
  readonly #signal: AbortSignal;

  constructor(
    deps: CrawlDeps,
    host: HostRow,
    urls: TurnUrls,
    lease: { workerId: string; signal: AbortSignal },
  ) {
    this.#deps = deps;
    this.host = host;
    this.#urls = urls;
    this.#workerId = lease.workerId;
    this.#signal = lease.signal;
    this.nextFetchAt = host.nextFetchAt?.getTime() ?? 0;
    this.robotsDelayMs = host.robotsDelayMs;
    this.slowDelayMs = host.slowDelayMs;
  }

  /** The delay in force at this host. */
  get gapMs(): number {
    return delayOf({
      crawlDelayMs: this.#deps.config.politeness.crawlDelayMs,
      robotsDelayMs: this.robotsDelayMs,
      hostDelayMs: this.host.delayMs,
      slowDelayMs: this.slowDelayMs,
    }).ms;
  }

  /** Does the name lead anywhere? Asked once, however many lanes. */
  resolve(): Promise<Step> {
    this.#resolving ??= this.#resolveOnce();
    return this.#resolving;
  }

  async #resolveOnce(): Promise<Step> {
    if (isIP(this.host.name.replace(/^\[|\]$/g, "")) !== 0) return { kind: "go" };
    const found = await this.#deps.resolver.resolve(this.host.name);
    if (found.kind === "addresses") return { kind: "go" };
    return { kind: "over", end: { kind: "unreachable", why: `DNS: ${found.detail}` } };
  }

  /** Chooses while the gap runs, so that the gap is all that is between two requests. */
  prepare(): void {
    if (this.gapMs > HOLD_MAX_MS) return;
    this.#prepared ??= this.#chooseNext(this.#signal);
    // Awaited by `choose`; a failure is told there.
    this.#prepared.catch(() => {});
  }

  async choose(signal: AbortSignal): Promise<Step<{ urlId: number }>> {
    const prepared = this.#prepared ?? this.#chooseNext(signal);
    this.#prepared = null;
    return await prepared;
  }

  async #chooseNext(signal: AbortSignal): Promise<Step<{ urlId: number }>> {
    for (;;) {
      if (signal.aborted) return over({ kind: "stopped" });
      if (this.#deps.breaker.open)
        return over({ kind: "part down", part: this.#deps.breaker.open });
      if (this.#urls.budgetSpent) return over({ kind: "budget" });
      if (this.nextFetchAt - this.#deps.clock.now() > HOLD_MAX_MS)
        return over({ kind: "long gap" });
      const url = await this.#urls.next(this.gapMs);
      if (!url) {
        // What is still being read behind us may bring links of this very host.
        if (this.#behind.size === 0) return over(this.#waiting ?? { kind: "exhausted" });
        await Promise.race(this.#behind);
        continue;
      }
      const verdict = await this.#mayAsk(url, signal);
      if (verdict === "skip") continue;
      if (verdict !== "ask") return over(verdict);
      while (this.#behind.size >= BEHIND_MAX) await Promise.race(this.#behind);
      this.#chosen.set(url.id, url);
      await this.#mark(url);
      return { kind: "go", urlId: url.id };
    }
  }

  async #mayAsk(url: ClaimedUrl, signal: AbortSignal): Promise<"ask" | "skip" | TurnEnd> {
    const where = authority(url.url as CanonicalUrl);
    const verdict = await this.#deps.robots.rulesOf(where, this.host.id, signal);
    switch (verdict.kind) {
      case "rules":
        this.robotsDelayMs = verdict.rules.crawlDelayMs;
        if (verdict.rules.isAllowed(url.url)) return "ask";
        this.#settleBehind(url, { kind: "disallowed" });
        while (this.#behind.size >= BEHIND_MAX) await Promise.race(this.#behind);
        return "skip";
      case "refused":
        this.#settleBehind(url, verdict);
        return "skip";
      case "waiting":
        this.#urls.putBehind(url);
        this.#waiting = { kind: "waiting for robots", why: verdict.why, retryAt: verdict.retryAt };
        return "skip";
      case "not asked":
        this.#urls.putBack(url);
        return verdict.why === "no slot" ? { kind: "no slot" } : { kind: "stopped" };
      default:
        return verdict satisfies never;
    }
  }

  /** While a gap runs the mark is waited for; without one it must not hold up the request. */
  async #mark(url: ClaimedUrl): Promise<void> {
    const marked = this.#deps.marks.add({ id: url.id, token: this.#urls.token });
    const tolerated = marked.catch((error) => this.#deps.breaker.trip("postgres", String(error)));
    if (this.nextFetchAt > this.#deps.clock.now()) await tolerated;
  }

  async fetch(urlId: number): Promise<Fetched> {
    const url = this.#chosen.get(urlId)!;
    this.#chosen.delete(urlId);
    const { clock, config, heartbeat } = this.#deps;
    const startAt = this.#reserveStart();
    while (!this.#signal.aborted && clock.now() < startAt) {
      await clock.sleep(startAt - clock.now(), this.#signal);
    }
    if (!heartbeat.isFresh(this.#workerId)) return over({ kind: "lease lost" });
    const outcome = await this.#deps.client.fetch({
      url: url.url,
      validators: { etag: url.etag, lastModified: url.lastModified },
      accept: "page",
      bytesMax: config.fetch.bytesMax,
      timeoutMs: config.fetch.timeoutMs,
      signal: this.#signal,
      slot: (address, signal) => this.#slot(address, signal),
    });
    return this.#answered(url, outcome);
  }

  /** With one lane the gap runs from the end of an answer, with several from start to start. */
  #reserveStart(): number {
    const startAt = Math.max(this.nextFetchAt, this.#deps.clock.now());
    if (this.#deps.config.politeness.hostConcurrency > 1) this.nextFetchAt = startAt + this.gapMs;
    return startAt;
  }

  async #slot(address: string, signal?: AbortSignal): Promise<Slot | null> {
    const slot = await this.#deps.slots.acquire(address, signal);
    // The last look before a request: a worker that was frozen must not send it when it wakes.
    if (slot && !this.#deps.heartbeat.isFresh(this.#workerId)) {
      slot.release();
      return null;
    }
    return slot;
  }

  #answered(url: ClaimedUrl, outcome: Outcome): Fetched {
    // One that was cut off may have been sent: the gap runs from here all the same.
    const sentNothing = ["no slot", "refused", "unreachable"].includes(outcome.kind);
    if (!sentNothing) this.#keepGap(outcome);
    switch (outcome.kind) {
      case "no slot":
        this.#urls.putBack(url);
        return over({ kind: "no slot" });
      case "aborted":
        this.#urls.putBack(url);
        return over({ kind: "stopped" });
      case "throttled":
        this.#hostFailed(url, outcome);
        return over(outcome);
      case "unreachable":
        this.#hostFailed(url, outcome);
        return over({ kind: "unreachable", why: `${outcome.cause}: ${outcome.detail}` });
      default:
        if (outcome.kind !== "refused") this.answered = true;
        this.#settleBehind(url, outcome);
        return { kind: "go", gapMs: this.nextFetchAt - this.#deps.clock.now() };
    }
  }

  /** Counts on the host, never on the URL, which goes behind its siblings. */
  #hostFailed(url: ClaimedUrl, outcome: Outcome): void {
    this.#urls.putBehind(url);
    const now = this.#deps.clock.now();
    const steps = "timing" in outcome ? { fetchStartedAt: outcome.timing.startedAt } : {};
    const visit = { hostId: this.host.id, url, result: outcome, state: "pending", steps, now };
    this.#deps.settler.note(visitRow({ ...visit, event: null }));
  }

  #keepGap(outcome: Outcome): void {
    const { crawlDelayMs, hostConcurrency } = this.#deps.config.politeness;
    const endedAt = this.#deps.clock.now();
    const erred = outcome.kind === "interrupted" || outcome.kind === "unavailable";
    const tookMs = "timing" in outcome ? outcome.timing.endedAt - outcome.timing.startedAt : 0;
    const { ms: configuredMs } = delayOf({
      crawlDelayMs,
      robotsDelayMs: this.robotsDelayMs,
      hostDelayMs: this.host.delayMs,
      slowDelayMs: null,
    });
    this.slowDelayMs = nextSlowDelay(this.slowDelayMs, configuredMs, { tookMs, erred });
    if (hostConcurrency === 1) this.nextFetchAt = endedAt + this.gapMs;
  }

  #settleBehind(url: ClaimedUrl, result: UrlOutcome | Disallowed): void {
    const lease = { hostId: this.host.id, host: this.host.name, token: this.#urls.token };
    const work = settleVisit(this.#deps, lease, url, result)
      .then((end) => {
        if (end === "give back") this.#urls.putBack(url);
      })
      .catch((error) => this.#deps.log.error("visit.crashed", { url: url.url, error }))
      .finally(() => this.#behind.delete(work));
    this.#behind.add(work);
  }

  /** Waits for what is being read behind the last request. */
  async drain(waitMs: number): Promise<void> {
    // A chosen URL that was never asked for goes back with the rest.
    await this.#prepared?.catch(() => {});
    for (const url of this.#chosen.values()) this.#urls.putBack(url);
    this.#chosen.clear();
    const timeout = new AbortController();
    const late = this.#deps.clock.sleep(waitMs, timeout.signal);
    await Promise.race([Promise.all(this.#behind), late]);
    timeout.abort();
  }
}

function over(end: TurnEnd): { kind: "over"; end: TurnEnd } {
  return { kind: "over", end };
}
