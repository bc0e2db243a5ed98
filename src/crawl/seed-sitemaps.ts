import { addSitemaps, type FoundSitemap, seedSitemapRows } from "../db/sitemaps.ts";
import { checkUrl } from "../fetch/guard.ts";
import { canonicalUrl, urlKey } from "../url/canonical.ts";
import { hostName, registrableDomain } from "../url/host.ts";
import { allowedCidrs } from "./allowed-cidrs.ts";
import type { SubmitDeps, SubmitRefusal } from "./submit.ts";
import { withScheme } from "./typed-url.ts";

/** A sitemap or feed that a person names, as it was written. */
export interface NamedSitemap {
  readonly kind: "sitemap" | "feed";
  readonly url: string;
}

export type SitemapSeeded =
  | { kind: "admitted" | "known" }
  | { kind: "refused"; reason: SubmitRefusal };

/**
 * Takes in what a person names as sitemaps or feeds: they are asked for now and then as those that
 * a site names itself. Their hosts are seeded. In order of what is named.
 */
export async function seedSitemaps(
  deps: SubmitDeps,
  named: readonly NamedSitemap[],
): Promise<SitemapSeeded[]> {
  const judged = named.map((each) => judge(deps, each));
  const found = judged.flatMap((each) => (each.kind === "found" ? [each.found] : []));
  const added = found.length === 0 ? [] : await enter(deps, found);
  const seen = new Set<string>();
  return judged.map((each): SitemapSeeded => {
    if (each.kind === "refused") return each;
    const { kind } = added[found.indexOf(each.found)]!;
    if (kind === "full") return { kind: "refused", reason: "host full" };
    const isAgain = seen.has(each.found.key);
    seen.add(each.found.key);
    return { kind: kind === "known" || isAgain ? "known" : "admitted" };
  });
}

async function enter(deps: SubmitDeps, found: readonly FoundSitemap[]) {
  const added = await addSitemaps(deps.db, found, deps.config.scope);
  const keys = found.map(({ key }) => key);
  await seedSitemapRows(deps.db, keys);
  for (const { host, domain } of found) deps.policy.addSeeded(host, domain);
  deps.wake();
  return added;
}

type Judged = { kind: "found"; found: FoundSitemap } | { kind: "refused"; reason: SubmitRefusal };

function judge(deps: SubmitDeps, { kind, url }: NamedSitemap): Judged {
  const typed = withScheme(url);
  if (typed === null) return { kind: "refused", reason: "invalid" };
  const canonical = canonicalUrl(typed);
  if (canonical.kind === "refused") return canonical;
  const guarded = checkUrl(canonical.url, allowedCidrs(deps.config));
  if (guarded.kind === "refused") return guarded;
  const host = hostName(canonical.url);
  const domain = registrableDomain(host);
  if (deps.policy.policy().isBlocked(host, domain)) return { kind: "refused", reason: "blocked" };
  const key = urlKey(canonical.url);
  const row = { key, url: canonical.url, kind, host, domain, depth: 0, hops: 0 };
  return { kind: "found", found: { ...row, origin: "seed" } };
}
