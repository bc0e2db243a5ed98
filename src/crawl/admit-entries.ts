import { type AdmitRow, admitUrls } from "../db/admit-urls.ts";
import { claimModified, type LastmodTrust, type Modified } from "../db/lastmod-claims.ts";
import { roomAt } from "../db/refused-links.ts";
import type { Cidr } from "../fetch/address.ts";
import { checkUrl } from "../fetch/guard.ts";
import { admit, fullAt } from "../frontier/admit.ts";
import { areStamped, isBelieved } from "../frontier/lastmod-trust.ts";
import { sitemapPriority } from "../frontier/priority.ts";
import type { SitemapEntry } from "../parse/sitemap.ts";
import { allowedCidrs } from "./allowed-cidrs.ts";
import type { CrawlDeps } from "./deps.ts";

/** URLs of one statement: the main thread judges so many in some ms. */
const AT_ONCE = 500;
/** What a sitemap names is as near as what the front page links. */
const DEPTH = 1;

type Via = "sitemap" | "feed";

/** What names the URLs; without `trust` its dates are not looked at. */
interface Source {
  host: { name: string; domain: string };
  via: Via;
  trust?: LastmodTrust | null;
}

/**
 * Admits what a sitemap or feed of `host` names, as a link would be, and makes due what has changed
 * since its last visit: of the site itself alone, for another's dates are not its to tell. `full`
 * gets the places that had no room. Gives how many are new.
 */
export async function admitEntries(
  deps: Pick<CrawlDeps, "db" | "clock" | "config" | "policy" | "refusals" | "wake">,
  { host, via, trust = null }: Source,
  entries: readonly SitemapEntry[],
  full: Set<string> = new Set(),
): Promise<number> {
  const { db, config, refusals } = deps;
  const allowed = allowedCidrs(config);
  let admitted = 0;
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const some = entries.slice(at, at + AT_ONCE);
    const { rows, modified } = judged(deps, { host, via, allowed, full }, some);
    const results = await admitUrls(db, rows, [], config.scope);
    const fresh = new Set<string>();
    for (const [place, result] of results.entries()) {
      if (result.kind === "admitted") fresh.add(result.key);
      if (result.kind !== "refused") continue;
      refusals.count(result.reason);
      const room = roomAt(result.reason, rows[place]!.host);
      if (room !== null) full.add(room);
    }
    admitted += fresh.size;
    const known = modified.filter(({ key }) => !fresh.has(key));
    const made = trust === null ? 0 : await claim(deps, trust, known, modified);
    if (fresh.size + made > 0) deps.wake();
  }
  return admitted;
}

/** What all of a batch say of this very moment is no word on any page. */
async function claim(
  { db, clock }: Pick<CrawlDeps, "db" | "clock">,
  trust: LastmodTrust,
  known: readonly Modified[],
  said: readonly Modified[],
): Promise<number> {
  const lastmods = said.map(({ lastmod }) => lastmod);
  const believed = isBelieved(trust) && !areStamped(lastmods, clock.now());
  return await claimModified(db, known, { trust, isBelieved: believed });
}

interface Judging {
  host: { domain: string };
  via: Via;
  allowed: readonly Cidr[];
  full: Set<string>;
}

function judged(
  deps: Pick<CrawlDeps, "policy" | "refusals">,
  { host, via, allowed, full }: Judging,
  entries: readonly SitemapEntry[],
): { rows: AdmitRow[]; modified: Modified[] } {
  const policy = deps.policy.policy();
  const rows = new Map<string, AdmitRow>();
  const modified = new Map<string, Modified>();
  // What it names of its own site is that site's own, as a link would be.
  const source = { domain: host.domain, score: null };
  for (const { url, lastmod, priority } of entries) {
    const said = via === "sitemap" ? { priority: sitemapPriority(priority) } : {};
    const verdict = admit({ url, via, depth: DEPTH, hops: 0, source, ...said }, policy);
    if (verdict.kind === "refused") {
      const room = fullAt(verdict);
      if (room !== null) full.add(room);
      deps.refusals.count(verdict.reason);
      continue;
    }
    // A host that is never asked must not come to be known, either.
    const guarded = checkUrl(verdict.url, allowed);
    if (guarded.kind === "refused") {
      deps.refusals.count(guarded.reason);
      continue;
    }
    const { key } = verdict;
    rows.set(key, { ...verdict, raise: false, seeds: false });
    if (lastmod === null || verdict.domain !== host.domain) continue;
    const before = modified.get(key)?.lastmod ?? 0;
    modified.set(key, { key, lastmod: Math.max(before, lastmod) });
  }
  return { rows: [...rows.values()], modified: [...modified.values()] };
}
