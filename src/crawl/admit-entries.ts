import { type AdmitRow, admitUrls } from "../db/admit-urls.ts";
import { increment } from "../db/counters.ts";
import { type Modified, makeModifiedDue } from "../db/sitemaps.ts";
import { admit } from "../frontier/admit.ts";
import { sitemapPriority } from "../frontier/priority.ts";
import type { SitemapEntry } from "../parse/sitemap.ts";
import type { CrawlDeps } from "./deps.ts";

/** URLs of one statement: the main thread judges so many in some ms. */
const AT_ONCE = 500;
/** What a sitemap names is as near as what the front page links. */
const DEPTH = 1;

/**
 * Admits what a sitemap or feed of `host` names, as a link would be, and makes due what has changed
 * since its last visit: of the site itself alone, for another's dates are not its to tell. Gives
 * how many are new.
 */
export async function admitEntries(
  deps: Pick<CrawlDeps, "db" | "config" | "policy" | "refusals" | "wake">,
  { host, via }: { host: { name: string; domain: string }; via: "sitemap" | "feed" },
  entries: readonly SitemapEntry[],
): Promise<number> {
  const { db, config, refusals } = deps;
  let admitted = 0;
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const { rows, modified } = judged(deps, host, via, entries.slice(at, at + AT_ONCE));
    const results = await admitUrls(db, rows, [], config.scope);
    const fresh = new Set<string>();
    for (const result of results) {
      if (result.kind === "admitted") fresh.add(result.key);
      if (result.kind === "refused") refusals.count(result.reason);
    }
    admitted += fresh.size;
    const made = await makeModifiedDue(
      db,
      modified.filter(({ key }) => !fresh.has(key)),
    );
    if (fresh.size + made > 0) deps.wake();
  }
  await increment(db, { [`admitted.${via}`]: admitted });
  return admitted;
}

function judged(
  deps: Pick<CrawlDeps, "policy" | "refusals">,
  host: { domain: string },
  via: "sitemap" | "feed",
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
      deps.refusals.count(verdict.reason);
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
