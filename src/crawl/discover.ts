import type { AdmitRow } from "../db/admit-urls.ts";
import type { RefusedReason } from "../fetch/outcome.ts";
import { admit, fullAt, type RefusalReason, type UrlCandidate } from "../frontier/admit.ts";
import type { PackedPage } from "../parse/packed.ts";
import { KEY_WORDS } from "../url/canonical.ts";
import type { CrawlDeps } from "./deps.ts";

/**
 * Candidates of a page that its settle admits, at most; the rest is found again at its next visit.
 */
const CANDIDATES_MAX = 2_000;

export interface Discovered {
  rows: AdmitRow[];
  /** Where there was no room for a link. */
  full: Set<string>;
}

/** The URLs that a page leads to, as far as they are in scope and not lately known. */
export function discover(
  deps: Pick<CrawlDeps, "policy" | "seen" | "refusals">,
  page: PackedPage,
  { depth, domain }: { depth: number; domain: string },
): Discovered {
  const rows: AdmitRow[] = [];
  const full = new Set<string>();
  if (page.directives.nofollow) return { rows, full };
  const policy = deps.policy.policy();
  const source = { domain, score: page.region?.score ?? null };
  const { count, keys, nofollow } = page.links;
  let urls: string[] | null = null;
  for (let at = 0; at < count && rows.length < CANDIDATES_MAX; at++) {
    if (deps.seen.has(keys, at * KEY_WORDS)) continue;
    urls ??= page.links.urls.split("\n");
    const candidate: UrlCandidate = {
      url: urls[at]!,
      via: "link",
      depth: depth + 1,
      hops: 0,
      nofollow: nofollow[at] === 1,
      source,
    };
    const verdict = admit(candidate, policy);
    if (verdict.kind === "refused") {
      deps.refusals.count(verdict.reason);
      const at = fullAt(verdict);
      if (at !== null) full.add(at);
    } else rows.push({ ...verdict, raise: false, seeds: false });
  }
  return { rows, full };
}

/** Hosts of which it is not lately known that the page's host links to them. */
export function newlyLinked(
  { pairs }: Pick<CrawlDeps, "pairs">,
  { linkedHosts, directives }: PackedPage,
  hostId: number,
): string[] {
  if (linkedHosts === "" || directives.nofollow) return [];
  return linkedHosts.split("\n").filter((name) => !pairs.has(hostId, name));
}

/** How many candidates were refused, by reason; written to the counters now and then. */
export class Refusals {
  #counts = new Map<RefusalReason | RefusedReason, number>();

  count(reason: RefusalReason | RefusedReason): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  /** What came together since the last call, as names of counters. */
  take(): Record<string, number> {
    const amounts: Record<string, number> = {};
    for (const [reason, count] of this.#counts) amounts[`refused.${reason}`] = count;
    this.#counts = new Map();
    return amounts;
  }
}
