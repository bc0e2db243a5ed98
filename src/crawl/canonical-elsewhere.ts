import { type ChainLink, chainFrom, endOf } from "../db/chains.ts";
import type { ClaimedUrl } from "../db/claim-urls.ts";
import { admit } from "../frontier/admit.ts";
import { type CanonicalUrl, canonicalUrl, urlKey } from "../url/canonical.ts";
import { hostName, registrableDomain } from "../url/host.ts";
import type { CrawlDeps } from "./deps.ts";

type Deps = Pick<CrawlDeps, "db" | "policy" | "refusals">;

/**
 * The page that this one stands back for; null: it is to be indexed itself. What it names is
 * followed to where it ends: a canonical is a hint, and a page is not given up for a failure, for
 * what is not admitted, or for a circle that nobody else would break. What both of two pages miss
 * that are read at once, the settle of the later one finds (db/settle-group.ts).
 */
export async function canonicalElsewhere(
  deps: Deps,
  url: ClaimedUrl,
  said: string | null,
): Promise<CanonicalUrl | null> {
  const target = namedElsewhere(url, said);
  if (target === null) return null;
  const chain = await chainFrom(deps.db, urlKey(target));
  const stands = chain.length === 0 ? isWanted(deps, url, target) : standsFor(url.id, chain);
  return stands ? target : null;
}

/** A canonical is trusted within a site only. */
function namedElsewhere(url: ClaimedUrl, said: string | null): CanonicalUrl | null {
  if (said === null) return null;
  const target = canonicalUrl(said, url.url);
  if (target.kind !== "canonical" || target.url === url.url) return null;
  const site = (each: CanonicalUrl) => registrableDomain(hostName(each));
  return site(target.url) === site(url.url as CanonicalUrl) ? target.url : null;
}

/** Not known yet: it stands for this page if it will be visited. */
function isWanted(
  { policy, refusals }: Deps,
  { depth, hops, priority }: ClaimedUrl,
  target: CanonicalUrl,
): boolean {
  const candidate = { url: target, via: "canonical", depth, hops: hops + 1, priority } as const;
  const verdict = admit(candidate, policy.policy());
  if (verdict.kind === "refused") refusals.count(verdict.reason);
  return verdict.kind === "admitted";
}

/** Who finds that a circle closes in itself breaks it, unless a duplicate will take its place. */
function standsFor(urlId: number, chain: readonly ChainLink[]): boolean {
  if (chain.at(-1)!.id === urlId) return chain.some(({ reason }) => reason === "duplicate");
  return endOf(chain).kind !== "dead";
}
