import {
  type Chosen,
  type Fetched,
  over,
  type Step,
  type Target,
  type TurnEnd,
} from "../actors/host.ts";
import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { HostRow } from "../db/hosts.ts";
import { isOutage } from "../db/store-errors.ts";
import type { Outcome } from "../fetch/outcome.ts";
import { causeFirst } from "../log.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { authority } from "../url/host.ts";
import type { CrawlDeps } from "./deps.ts";
import { HostGap, isHeldTooLong } from "./host-gap.ts";
import { type HostLease, HostRequests, pageRequest, type Sent, wasSent } from "./host-requests.ts";
import { markUrl } from "./mark-url.ts";
import { PagesBehind } from "./pages-behind.ts";
import { resolveHost } from "./resolve-host.ts";
import { RobotsWaits } from "./robots-waits.ts";
import { TurnSitemaps } from "./turn-sitemaps.ts";
import { openTraps, trapOf } from "./turn-traps.ts";
import type { TurnUrls } from "./turn-urls.ts";
import type { UrlOutcome } from "./visit-event.ts";
import { visitRow } from "./visit-row.ts";

/** The I/O of a host actor: what its states do at the host, and what its turn must remember. */
export class HostVisits {
  answered = false;
  /** How the host itself wants the turn to end: it holds though the turn was halted before. */
  said: TurnEnd | null = null;
  readonly host: HostRow;
  readonly gap: HostGap;
  readonly #behind: PagesBehind;
  readonly #chosen = new Map<number, ClaimedUrl>();
  #prepared: Promise<Chosen> | null = null;
  readonly #waits: RobotsWaits;
  #resolving: Promise<Step> | null = null;
  /** Bytes that the operator lets the host give, less those of its pages. */
  #bytesLeft: number;
  readonly #deps: CrawlDeps;
  readonly #urls: TurnUrls;
  readonly #requests: HostRequests;
  readonly #sitemaps: TurnSitemaps;
  readonly #signal: AbortSignal;

  constructor(deps: CrawlDeps, host: HostRow, urls: TurnUrls, lease: HostLease) {
    this.#deps = deps;
    this.host = host;
    this.#urls = urls;
    this.#bytesLeft = (host.bytesMax ?? Number.POSITIVE_INFINITY) - host.byteCount;
    this.#behind = new PagesBehind(deps, host, urls);
    this.#waits = new RobotsWaits(deps.db, host.id);
    this.#signal = AbortSignal.any([lease.stop, lease.lost]);
    this.gap = new HostGap(host, deps.config, deps.clock);
    this.#requests = new HostRequests(deps, this.gap, lease);
    this.#sitemaps = new TurnSitemaps(deps, host, urls.token, {
      gap: this.gap,
      requests: this.#requests,
      waits: this.#waits,
      signal: this.#signal,
      answered: () => {
        this.answered = true;
      },
    });
  }

  /** Does the name lead anywhere? Asked once, however many lanes. */
  resolve(): Promise<Step> {
    this.#resolving ??= openTraps(this.#deps, this.host)
      .then(() => resolveHost(this.#deps, this.host))
      .catch((error) => this.#storeLost(error));
    return this.#resolving;
  }

  /** Chooses while the gap runs, so that the gap is all that is between two requests. */
  prepare(): void {
    if (isHeldTooLong(this.gap.ms)) return;
    this.#prepared ??= this.#chooseNext(this.#signal);
    // Awaited by `choose`; a failure is told there.
    this.#prepared.catch(() => {});
  }

  async choose(signal: AbortSignal): Promise<Chosen> {
    const prepared = this.#prepared ?? this.#chooseNext(signal);
    this.#prepared = null;
    return await prepared.catch((error) => this.#storeLost(error));
  }

  #storeLost(error: unknown): { kind: "over"; end: TurnEnd } {
    if (!isOutage(error)) throw error;
    this.#deps.breaker.trip("postgres", causeFirst(error));
    return over({ kind: "part down", part: "postgres" });
  }

  async #chooseNext(signal: AbortSignal): Promise<Chosen> {
    for (;;) {
      if (signal.aborted) return over({ kind: "stopped" });
      if (this.#deps.breaker.open)
        return over({ kind: "part down", part: this.#deps.breaker.open });
      if (this.#bytesLeft <= 0) return over({ kind: "halted" });
      if (this.#urls.budgetSpent) return over(await this.#budgetEnd());
      if (isHeldTooLong(this.gap.leftMs)) return over({ kind: "long gap" });
      const first = await this.#sitemaps.next({ isIdle: false });
      const url = first === null ? await this.#urls.next(this.gap.ms) : null;
      const sitemap = first ?? (url ? null : await this.#sitemaps.next({ isIdle: true }));
      if (sitemap !== null) return sitemap;
      if (!url) {
        // What is still being read behind us may bring links of this very host.
        if (this.#behind.isEmpty) return over(await this.#exhausted());
        await this.#behind.next();
        continue;
      }
      if (await this.#isTrapped(url)) continue;
      const verdict = await this.#mayAsk(url, signal);
      if (verdict === "skip") continue;
      if (verdict !== "ask") return over(verdict);
      await this.#behind.room();
      await this.#deps.pipeline.room(signal);
      this.#chosen.set(url.id, url);
      await markUrl(this.#deps, { id: url.id, token: this.#urls.token }, this.gap.leftMs > 0);
      return { kind: "go", target: { kind: "page", id: url.id } };
    }
  }

  async #isTrapped(url: ClaimedUrl): Promise<boolean> {
    const reason = await trapOf(this.#deps, this.host, url).catch((error) => {
      this.#urls.putBack(url);
      throw error;
    });
    if (reason !== null) await this.#behind.leaveAlone(url, reason);
    return reason !== null;
  }

  /** What waits for robots.txt is put off: that nothing else is due says that all of it waits. */
  async #exhausted(): Promise<TurnEnd> {
    return (this.answered ? null : await this.#waits.end()) ?? { kind: "exhausted" };
  }

  /** An authority that is silent may have taken all the seconds there were. */
  async #budgetEnd(): Promise<TurnEnd> {
    const more = this.answered || !this.#waits.any || (await this.#urls.isMore(this.gap.ms));
    return more ? { kind: "budget" } : await this.#exhausted();
  }

  async #mayAsk(url: ClaimedUrl, signal: AbortSignal): Promise<"ask" | "skip" | TurnEnd> {
    const where = authority(url.url as CanonicalUrl);
    const verdict = await this.#deps.robots.rulesOf(where, this.host.id, signal);
    switch (verdict.kind) {
      case "rules":
        this.gap.robotsDelayMs = verdict.rules.crawlDelayMs;
        this.#deps.finds.ofRobots(verdict.rules, this.host.name);
        if (verdict.rules.isAllowed(url.url)) return "ask";
        this.#behind.settle(url, { kind: "disallowed" });
        await this.#behind.room();
        return "skip";
      case "refused":
        this.#behind.settle(url, verdict);
        return "skip";
      case "waiting":
        this.#waits.add(where, verdict);
        await this.#urls.putAuthorityOff(url, where, verdict.retryAt);
        return "skip";
      case "not asked":
        this.#urls.putBack(url);
        return verdict.why === "no slot" ? { kind: "no slot" } : { kind: "stopped" };
      default:
        return verdict satisfies never;
    }
  }

  async fetch({ kind, id }: Target): Promise<Fetched> {
    if (kind === "sitemap") {
      const fetched = await this.#sitemaps.fetch(id).catch((error) => this.#storeLost(error));
      return fetched.kind === "go" ? this.#goOn() : fetched;
    }
    const url = this.#chosen.get(id)!;
    this.#chosen.delete(id);
    const cookies = this.#deps.cookies.of(url.id, this.#deps.clock.now());
    return await this.#requests.send(pageRequest(this.#deps, url, cookies), (outcome) =>
      this.#answered(url, outcome, { isSecond: cookies !== null }),
    );
  }

  #answered(url: ClaimedUrl, outcome: Sent, { isSecond }: { isSecond: boolean }): Fetched {
    if (outcome.kind === "lease lost") return over(outcome);
    // One that was cut off may have been sent: the gap runs from here all the same.
    if (wasSent(outcome)) this.gap.answered(outcome);
    if (outcome.kind === "fetched") this.#bytesLeft -= outcome.wireBytes;
    switch (outcome.kind) {
      case "no slot":
        this.#urls.putBack(url);
        return over({ kind: "no slot" });
      case "aborted":
        this.#urls.putBack(url);
        return over({ kind: "stopped" });
      case "throttled":
        return this.#hostFailed(url, outcome, outcome);
      case "unreachable": {
        const why = `${outcome.cause}: ${outcome.detail}`;
        return this.#hostFailed(url, outcome, { kind: "unreachable", why });
      }
      default:
        if (outcome.kind !== "refused") this.answered = true;
        if (!isSecond && this.#wantsCookies(url, outcome)) this.#urls.putBack(url);
        else this.#behind.settle(url, outcome);
        return this.#goOn();
    }
  }

  /** It redirects to itself and set a cookie: it is asked once more, when the gap is over. */
  #wantsCookies(url: ClaimedUrl, outcome: UrlOutcome): boolean {
    const when = { now: this.#deps.clock.now(), gapMs: this.gap.ms };
    this.#deps.cookies.forget(url.id);
    return outcome.kind === "redirected" && this.#deps.cookies.keep(url, outcome, when);
  }

  #goOn(): Fetched {
    const gapMs = this.gap.leftMs;
    return isHeldTooLong(gapMs) ? over({ kind: "long gap" }) : { kind: "go", gapMs };
  }

  /** Counts on the host, never on the URL, which goes behind its siblings. */
  #hostFailed(url: ClaimedUrl, outcome: Outcome, end: TurnEnd): Fetched {
    this.said = end;
    this.#urls.putBehind(url);
    const now = this.#deps.clock.now();
    const steps = "timing" in outcome ? { fetchStartedAt: outcome.timing.startedAt } : {};
    const visit = { hostId: this.host.id, url, result: outcome, state: "pending", steps, now };
    this.#deps.settler.note(visitRow({ ...visit, event: null }));
    return over(end);
  }

  /** Waits for the requests under way, then for what is read behind them: each has its bound. */
  async drain({ landBy, settleBy }: { landBy: Promise<void>; settleBy: Promise<void> }) {
    await Promise.race([this.#requests.landed(), landBy]);
    await this.#requests.cutOff();
    await Promise.race([this.#settled(), settleBy]);
  }

  async #settled(): Promise<void> {
    await this.#prepared?.catch(() => {});
    // A chosen URL that was never asked for goes back with the rest.
    for (const url of this.#chosen.values()) this.#urls.putBack(url);
    this.#chosen.clear();
    await this.#behind.all();
  }
}
