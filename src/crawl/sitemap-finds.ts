import { Batcher } from "../batch.ts";
import type { Room } from "../db/admission-room.ts";
import type { Db } from "../db/connect.ts";
import {
  addSitemaps,
  type FoundSitemap,
  type SitemapAdded,
  type SitemapRow,
} from "../db/sitemaps.ts";
import { isInScope } from "../frontier/admit.ts";
import { causeFirst, type Log } from "../log.ts";
import type { RobotsRules } from "../parse/robots.ts";
import { canonicalUrl, urlKey } from "../url/canonical.ts";
import { type HostName, hostName, registrableDomain } from "../url/host.ts";
import type { PolicyCache } from "./policy.ts";

/** Something that may be a sitemap or feed, as it is named. */
export interface SitemapCandidate
  extends Pick<SitemapRow, "url" | "kind" | "origin" | "depth" | "hops"> {}

export type SitemapVerdict =
  | "added"
  | "known"
  /** Its host has as many as are kept. */
  | "full"
  /** The index above it lies as deep as any may. */
  | "depth"
  | "scope"
  | "blocked"
  | "invalid";

/** Indexes above each other; a chain of them leads nowhere. */
const DEPTH_MAX = 10;
/** URLs of those lately named: the same feed is linked from every page. */
const NAMED_MAX = 20_000;

/**
 * Takes in what is named as a sitemap or feed: by robots.txt, a page, an index, a person. Of
 * another host it must be in scope, as a link would; a site on probation may name its own.
 */
export class SitemapFinds {
  readonly #named = new Set<string>();
  readonly #told = new WeakSet<RobotsRules>();
  /** Hosts that have got one since their turn last asked. */
  readonly #fresh = new Set<number>();
  readonly #adds: Batcher<FoundSitemap, SitemapAdded>;
  readonly #policy: PolicyCache;
  readonly #log: Log;
  readonly #wake: () => void;

  constructor(deps: { db: Db; room: Room; policy: PolicyCache; log: Log; wake: () => void }) {
    const add = (found: readonly FoundSitemap[]) => addSitemaps(deps.db, found, deps.room);
    this.#adds = new Batcher(add, { itemsMax: 500, waitMs: 10, parallel: 1 });
    this.#policy = deps.policy;
    this.#log = deps.log;
    this.#wake = deps.wake;
  }

  /** The Sitemap lines of a robots.txt, once however many pages it rules. */
  ofRobots(rules: RobotsRules, host: string): void {
    if (rules.sitemaps.length === 0 || this.#told.has(rules)) return;
    this.#told.add(rules);
    const named = rules.sitemaps.map((url) => candidate(url, "sitemap", "robots"));
    // Written while the turn goes on; what is lost is named again.
    void this.#tolerated(this.add(named, host)).then((added) => added || this.#told.delete(rules));
  }

  /** Feeds that a page links. */
  ofPage(feeds: readonly string[], host: string): void {
    const named = feeds.filter((url) => !this.#named.has(url));
    if (named.length === 0) return;
    const candidates = named.map((url) => candidate(url, "feed", "link"));
    void this.#tolerated(this.add(candidates, host));
  }

  /** A URL of the crawl that is none of its pages. */
  async ofUrl(url: string, kind: SitemapRow["kind"], host: string, isSeed: boolean): Promise<void> {
    await this.#tolerated(this.add([candidate(url, kind, isSeed ? "seed" : "link")], host));
  }

  /** In order of what is named; rejects when the store is away. */
  async add(named: readonly SitemapCandidate[], host: string): Promise<SitemapVerdict[]> {
    return await Promise.all(named.map((each) => this.#add(each, host)));
  }

  /** Has this host got one since it was last asked? */
  takeFresh(hostId: number): boolean {
    return this.#fresh.delete(hostId);
  }

  /** Rows have left the store. */
  clear(): void {
    this.#named.clear();
  }

  drain(): Promise<void> {
    return this.#adds.drain();
  }

  async #add(named: SitemapCandidate, from: string): Promise<SitemapVerdict> {
    const found = this.#judge(named, from);
    if (typeof found === "string") return found;
    if (this.#named.has(found.url)) return "known";
    if (this.#named.size >= NAMED_MAX) this.#named.clear();
    this.#named.add(found.url);
    try {
      const added = await this.#adds.add(found);
      if (added.kind !== "added") return added.kind;
      this.#fresh.add(added.hostId);
      this.#wake();
      return "added";
    } catch (error) {
      this.#named.delete(found.url);
      throw error;
    }
  }

  #judge(named: SitemapCandidate, from: string): FoundSitemap | SitemapVerdict {
    if (named.depth > DEPTH_MAX) return "depth";
    const canonical = canonicalUrl(named.url);
    if (canonical.kind === "refused") return "invalid";
    const { url } = canonical;
    const host = hostName(url);
    const domain = registrableDomain(host);
    const policy = this.#policy.policy();
    if (policy.isBlocked(host, domain)) return "blocked";
    if (host !== from && !isInScope(host, domain, policy)) {
      const isOwn = policy.scope === "region" && registrableDomain(from as HostName) === domain;
      if (!isOwn) return "scope";
    }
    return { ...named, url, key: urlKey(url), host, domain };
  }

  async #tolerated(adding: Promise<unknown>): Promise<boolean> {
    try {
      await adding;
      return true;
    } catch (error) {
      this.#log.debug("sitemaps.not_added", { error: causeFirst(error) });
      return false;
    }
  }
}

function candidate(
  url: string,
  kind: SitemapRow["kind"],
  origin: SitemapRow["origin"],
): SitemapCandidate {
  return { url, kind, origin, depth: 0, hops: 0 };
}
