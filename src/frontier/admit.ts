import type { urls } from "../db/schema/urls.ts";
import { type CanonicalUrl, canonicalUrl, type UrlRefusal, urlKey } from "../url/canonical.ts";
import {
  type Authority,
  authority,
  type HostName,
  hostName,
  registrableDomain,
} from "../url/host.ts";
import { withoutParameters } from "../url/pattern.ts";
import { type HostPatterns, isIncluded } from "../url/scope.ts";
import { repeatedSegments } from "../url/traps.ts";
import type { TrapReason, TrapRules } from "./host-traps.ts";
import { priorityOf } from "./priority.ts";
import { type RegionClaim, type RegionSource, regionClaim } from "./region.ts";

/** How a URL came to be known. */
export type UrlOrigin = (typeof urls.$inferSelect)["via"];

/** Redirects in a row that a URL may be away from the one that was asked for. */
export const HOPS_MAX = 5;

/** A URL seen, not yet judged. */
export interface UrlCandidate {
  /** Absolute, in any form. */
  readonly url: string;
  readonly via: UrlOrigin;
  /** Links followed from a URL that a person named. */
  readonly depth: number;
  /** Redirects in a row that led here. */
  readonly hops: number;
  /** 0..255; unset: by origin and depth. Redirects and canonicals bring their source's. */
  readonly priority?: number;
  /** The link said nofollow, ugc or sponsored, or its page did. */
  readonly nofollow?: boolean;
  /** Where it was found: what the scope `region` asks. */
  readonly source?: RegionSource;
}

/** What admission has to know of settings, operator and store, as plain questions. */
export interface AdmissionPolicy {
  readonly scope: CrawlScope;
  readonly depthMax: number;
  readonly frontierIsFull: boolean;
  isSeededHost(host: HostName): boolean;
  isSeededDomain(domain: string): boolean;
  /** Its name alone puts it in the region. */
  isNamedOfRegion(host: HostName): boolean;
  isBlocked(host: HostName, domain: string): boolean;
  patterns(host: HostName): HostPatterns | null;
  hostIsFull(host: HostName): boolean;
  /** What was learned of the traps of a host; null: nothing that keeps a URL out. */
  traps(host: HostName): TrapRules | null;
}

/** Of `region` this is the first word: the store knows what the hosts have shown so far. */
export type CrawlScope = "any" | "seeded-hosts" | "seeded-domains" | "region";

export type Admission = AdmittedUrl | Refused;

interface Refused {
  readonly kind: "refused";
  readonly reason: RefusalReason;
  /** There is no room at this host. */
  readonly full?: HostName;
  /** Whose trap it is. */
  readonly host?: HostName;
}

export interface AdmittedUrl {
  readonly kind: "admitted";
  readonly url: CanonicalUrl;
  readonly key: string;
  readonly host: HostName;
  /** Registrable domain of the host. */
  readonly domain: string;
  readonly authority: Authority;
  readonly depth: number;
  readonly hops: number;
  readonly priority: number;
  readonly via: UrlOrigin;
  /** To be held against its host by the store; absent: it is in scope. */
  readonly region?: RegionClaim;
  /** The second key, of the URL without neutral parameters; absent: its host has none. */
  readonly pageKey?: string;
}

export type RefusalReason =
  | UrlRefusal
  | "scope"
  | "depth"
  | "hops"
  | "pattern"
  | "blocked"
  | "host full"
  | "frontier full"
  | "trap"
  | TrapReason
  | "nofollow";

/**
 * Judges a candidate. What a person named (a seed, an accepted submission) is in scope by itself;
 * its caller marks the host as seeded. Blocks, patterns and quotas are the operator's: they hold
 * for everyone.
 */
export function admit(candidate: UrlCandidate, policy: AdmissionPolicy): Admission {
  const isNamed = candidate.via === "seed" || candidate.via === "submission";
  if (candidate.nofollow && !isNamed) return refused("nofollow");
  const canonical = canonicalUrl(candidate.url);
  if (canonical.kind === "refused") return canonical;
  const { url } = canonical;
  const host = hostName(url);
  const domain = registrableDomain(host);
  const traps = trapsFor(url, host, candidate.via, policy);
  const reason =
    reasonOfPlace(url, host, domain, policy) ??
    (isNamed ? null : reasonOfFinding(url, host, domain, candidate, policy)) ??
    (traps?.cutOf(url) ? "pattern cut" : null) ??
    reasonOfRoom(host, policy);
  if (reason === "host full") return { kind: "refused", reason, full: host };
  if (reason === "trap" || reason === "pattern cut") return { kind: "refused", reason, host };
  if (reason !== null) return refused(reason);
  return {
    kind: "admitted",
    url,
    key: urlKey(url),
    host,
    domain,
    authority: authority(url),
    depth: candidate.depth,
    hops: candidate.hops,
    priority: priorityOf(candidate, url),
    via: candidate.via,
    ...(traps !== null && pageOf(url, traps)),
    ...(policy.scope === "region" &&
      !isNamed &&
      !policy.isNamedOfRegion(host) && {
        region: regionClaim(domain, candidate.via, candidate.source),
      }),
  };
}

/**
 * What was learned of its host, where that holds for a URL: for those that are met by following
 * links. What people, sitemaps and feeds name is no walk through a maze, and what the operator
 * includes is wanted.
 */
export function trapsFor(
  url: CanonicalUrl,
  host: HostName,
  via: UrlOrigin,
  policy: Pick<AdmissionPolicy, "traps" | "patterns">,
): TrapRules | null {
  const rules = isFollowed(via) ? policy.traps(host) : null;
  if (rules === null) return null;
  const patterns = policy.patterns(host);
  const isWanted = patterns !== null && patterns.include.length > 0 && isIncluded(url, patterns);
  return isWanted ? null : rules;
}

export const isFollowed = (via: UrlOrigin): boolean =>
  via === "link" || via === "redirect" || via === "canonical";

/** Under which key it is the same page as others of its host. */
export function pageOf(url: CanonicalUrl, { neutral }: TrapRules): { pageKey?: string } {
  return neutral.size === 0 ? {} : { pageKey: urlKey(withoutParameters(url, neutral)) };
}

/** Would a link to this host be in scope? */
export function isInScope(host: HostName, domain: string, policy: ScopePolicy): boolean {
  switch (policy.scope) {
    case "any":
      return true;
    case "seeded-hosts":
      return policy.isSeededHost(host);
    case "seeded-domains":
      return policy.isSeededDomain(domain);
    case "region":
      return policy.isNamedOfRegion(host);
    default:
      return policy.scope satisfies never;
  }
}

type ScopePolicy = Pick<
  AdmissionPolicy,
  "scope" | "isSeededHost" | "isSeededDomain" | "isNamedOfRegion"
>;

/** Of a refusal for want of room: where there was none, as db/refused-links.ts names it. */
export function fullAt(refusal: { reason: RefusalReason; full?: HostName }): string | null {
  if (refusal.reason === "frontier full") return "";
  return refusal.full ?? null;
}

function refused(reason: RefusalReason): Admission {
  return { kind: "refused", reason };
}

function reasonOfPlace(
  url: CanonicalUrl,
  host: HostName,
  domain: string,
  policy: AdmissionPolicy,
): RefusalReason | null {
  if (policy.isBlocked(host, domain)) return "blocked";
  const patterns = policy.patterns(host);
  return patterns === null || isIncluded(url, patterns) ? null : "pattern";
}

function reasonOfFinding(
  url: CanonicalUrl,
  host: HostName,
  domain: string,
  { depth, hops }: UrlCandidate,
  policy: AdmissionPolicy,
): RefusalReason | null {
  if (policy.scope !== "region" && !isInScope(host, domain, policy)) return "scope";
  if (hops > HOPS_MAX) return "hops";
  if (depth > policy.depthMax) return "depth";
  return repeatedSegments(url) ? "trap" : null;
}

function reasonOfRoom(host: HostName, policy: AdmissionPolicy): RefusalReason | null {
  if (policy.frontierIsFull) return "frontier full";
  return policy.hostIsFull(host) ? "host full" : null;
}
