import { type Chosen, type Fetched, over, type TurnEnd } from "../actors/host.ts";
import type { HostRow } from "../db/hosts.ts";
import { noteRefusedSitemap } from "../db/refused-sitemaps.ts";
import { DUE_AT_ONCE, type SitemapRow, writeSitemap } from "../db/sitemaps.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { authority } from "../url/host.ts";
import type { CrawlDeps } from "./deps.ts";
import type { HostGap } from "./host-gap.ts";
import { type HostRequests, type Sent, wasSent } from "./host-requests.ts";
import type { RobotsWaits } from "./robots-waits.ts";
import { judgeLook, type Look, waitsForRobots, writeOf } from "./sitemap-look.ts";
import { SitemapReading } from "./sitemap-reading.ts";

/** Pages between two sitemaps of a turn, while there are pages that are due. */
const PAGES_BETWEEN = 4;
/** Large ones take their time; a slow one is given up as any answer is. */
const TIMEOUT_MS = 60_000;
/** For a place among the readings, where no page is due; then the host comes again soon. */
const PLACE_WAIT_MS = 2_000;

/** Most are read by then. */
const SLOW_AFTER_MS = 3_000;

export interface SitemapParts {
  gap: HostGap;
  requests: HostRequests;
  waits: RobotsWaits;
  signal: AbortSignal;
  /** The host has answered. */
  answered: () => void;
}

/**
 * The sitemaps and feeds of one turn: requests among those for its pages, one in five while both
 * are due, so that neither waits for the end of the other.
 */
export class TurnSitemaps {
  readonly #deps: CrawlDeps;
  readonly #host: HostRow;
  readonly #token: string;
  readonly #parts: SitemapParts;
  readonly #chosen = new Map<number, { sitemap: SitemapRow; isIdle: boolean }>();
  #due: SitemapRow[] = [];
  #mayBeMore = true;
  #loading: Promise<void> | null = null;
  /** Since the last one. By chance at first: many turns are of one request. */
  #pages: number;

  constructor(deps: CrawlDeps, host: HostRow, token: string, parts: SitemapParts) {
    this.#deps = deps;
    this.#host = host;
    this.#token = token;
    this.#parts = parts;
    this.#pages = Math.floor(deps.random() * (PAGES_BETWEEN + 1));
  }

  /** The next one that may be asked for; null: none, or a page comes first. */
  async next({ isIdle }: { isIdle: boolean }): Promise<Chosen | null> {
    if (!isIdle && this.#pages++ < PAGES_BETWEEN) return null;
    for (;;) {
      const sitemap = await this.#shift();
      if (sitemap === null) return null;
      const verdict = await this.#mayAsk(sitemap);
      if (verdict === "skip") continue;
      if (verdict !== "ask") return over(verdict);
      this.#pages = 0;
      this.#chosen.set(sitemap.id, { sitemap, isIdle });
      return { kind: "go", target: { kind: "sitemap", id: sitemap.id } };
    }
  }

  async #shift(): Promise<SitemapRow | null> {
    if (this.#due.length === 0) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = null;
      });
      await this.#loading;
    }
    return this.#due.shift() ?? null;
  }

  /** Asks the store when there may be one: at first, behind a full list, when one was found. */
  async #load(): Promise<void> {
    const hasFresh = this.#deps.finds.takeFresh(this.#host.id);
    if (!this.#mayBeMore && !hasFresh) return;
    const due = await this.#deps.dueSitemaps.add(this.#host.id);
    this.#mayBeMore = due.length >= DUE_AT_ONCE;
    this.#due.push(...due.filter(({ id }) => !this.#chosen.has(id)));
  }

  async #mayAsk(sitemap: SitemapRow): Promise<"ask" | "skip" | TurnEnd> {
    const where = authority(sitemap.url as CanonicalUrl);
    const { signal, gap, waits } = this.#parts;
    const verdict = await this.#deps.robots.rulesOf(where, this.#host.id, signal);
    switch (verdict.kind) {
      case "rules":
        gap.robotsDelayMs = verdict.rules.crawlDelayMs;
        this.#deps.finds.ofRobots(verdict.rules, this.#host.name);
        if (verdict.rules.isAllowed(sitemap.url)) return "ask";
        await this.#write(sitemap, { look: { kind: "gone" }, reason: "robots" });
        return "skip";
      case "refused":
        await this.#write(sitemap, {
          look: { kind: "gone" },
          reason: `refused: ${verdict.reason}`,
        });
        return "skip";
      case "waiting":
        waits.add(where, verdict);
        await writeSitemap(
          this.#deps.db,
          waitsForRobots(sitemap, this.#token, verdict.retryAt, verdict.why),
        );
        return "skip";
      case "not asked":
        return verdict.why === "no slot" ? { kind: "no slot" } : { kind: "stopped" };
      default:
        return verdict satisfies never;
    }
  }

  /**
   * One request, and what it says. Places may all be held by slow answers of others: pages that are
   * due do not wait for that.
   */
  async fetch(id: number): Promise<Fetched> {
    const { sitemap, isIdle } = this.#chosen.get(id)!;
    try {
      const waitMs = isIdle ? PLACE_WAIT_MS : 0;
      const place = await this.#deps.readings.enter(waitMs, this.#parts.signal);
      if (place === null && isIdle) return over({ kind: "no slot" });
      if (place === null) {
        this.#due.unshift(sitemap);
        return { kind: "go", gapMs: this.#parts.gap.leftMs };
      }
      const leave = this.#leaveEarly(place);
      try {
        return await this.#look(sitemap);
      } finally {
        leave();
      }
    } finally {
      this.#chosen.delete(id);
    }
  }

  /** What comes slowly goes on among its like, if there is a place; gives what ends both. */
  #leaveEarly(place: () => void): () => void {
    let slow: (() => void) | null = null;
    let isOver = false;
    const timer = setTimeout(async () => {
      slow = await this.#deps.slowReadings.enter(0, this.#parts.signal);
      if (slow === null) return;
      place();
      if (isOver) slow();
    }, SLOW_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      place();
      slow?.();
    };
  }

  async #look(sitemap: SitemapRow): Promise<Fetched> {
    // Should this process die of it, it was a failure.
    const now = this.#deps.clock.now();
    const began = { look: { kind: "failed" }, reason: "it was never read to its end" } as const;
    if (!(await this.#write(sitemap, began))) return over({ kind: "lease lost" });
    const reading = new SitemapReading(this.#deps, this.#host, sitemap);
    const asked = {
      url: sitemap.url,
      validators: { etag: sitemap.etag, lastModified: sitemap.lastModified },
      accept: "sitemap",
      sink: reading.sink,
      bytesMax: this.#deps.config.fetch.sitemapBytesMax,
      timeoutMs: Math.max(TIMEOUT_MS, this.#deps.config.fetch.timeoutMs),
    } as const;
    return await this.#parts.requests.send(asked, (sent) =>
      this.#answered(sitemap, sent, reading, now),
    );
  }

  async #answered(
    sitemap: SitemapRow,
    sent: Sent,
    reading: SitemapReading,
    askedAt: number,
  ): Promise<Fetched> {
    if (sent.kind === "lease lost") return over(sent);
    if (wasSent(sent)) this.#parts.gap.answered(sent);
    if (wasSent(sent) && sent.kind !== "aborted" && sent.kind !== "throttled") {
      this.#parts.answered();
    }
    await reading.end();
    if (sent.kind === "no slot" || sent.kind === "aborted") {
      await this.#giveBack(sitemap, askedAt);
      return over(sent.kind === "no slot" ? sent : { kind: "stopped" });
    }
    await noteRefusedSitemap(this.#deps.db, sitemap.id, reading.full);
    await this.#write(sitemap, await judgeLook(this.#deps, this.#host, sitemap, sent, reading));
    return { kind: "go", gapMs: this.#parts.gap.leftMs };
  }

  /** Not asked after all: as it was. */
  async #giveBack(sitemap: SitemapRow, now: number): Promise<void> {
    const nextFetchAt = sitemap.nextFetchAt ?? new Date(now);
    await writeSitemap(this.#deps.db, {
      ...sitemap,
      nextFetchAt,
      admitted: 0,
      token: this.#token,
    });
  }

  #write(sitemap: SitemapRow, look: Look): Promise<boolean> {
    return writeSitemap(this.#deps.db, writeOf(this.#deps, sitemap, this.#token, look));
  }
}
