import type { AdmitRow } from "../db/admit-urls.ts";
import type { HostRefusal } from "../db/host-refusals.ts";
import type { RefusedReason } from "../fetch/outcome.ts";
import { admit, fullAt, type RefusalReason, type UrlCandidate } from "../frontier/admit.ts";
import type { PackedPage } from "../parse/packed.ts";
import { KEY_WORDS } from "../url/canonical.ts";
import type { CrawlDeps } from "./deps.ts";

/**
 * Candidates of a page that its settle admits, at most; for the rest it is read again, as a page is
 * that found no room.
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
  { depth, host, domain }: { depth: number; host: string; domain: string },
): Discovered {
  const rows: AdmitRow[] = [];
  const full = new Set<string>();
  if (page.directives.nofollow) return { rows, full };
  const policy = deps.policy.policy();
  const source = { domain, score: page.region?.score ?? null };
  const { count, keys, nofollow } = page.links;
  let urls: string[] | null = null;
  for (let at = 0; at < count; at++) {
    if (deps.seen.has(keys, at * KEY_WORDS)) continue;
    if (rows.length >= CANDIDATES_MAX) {
      full.add(host);
      break;
    }
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
      deps.refusals.count(verdict.reason, verdict.host);
      const room = fullAt(verdict);
      if (room !== null) full.add(room);
    } else if (verdict.pageKey !== undefined && deps.seen.hasKey(verdict.pageKey)) {
      if (verdict.pageKey !== verdict.key) deps.refusals.count("same page", verdict.host);
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

/** Hosts and reasons that are counted between two writings; the sum by reason misses none. */
const HOSTS_MAX = 2_000;

/** How many candidates were refused, by reason; written to the counters now and then. */
export class Refusals {
  #counts = new Map<RefusalReason | RefusedReason, number>();
  #byHost = new Map<string, { host: string; reason: string; count: number }>();

  /** `host`: whose trap it is. */
  count(reason: RefusalReason | RefusedReason, host?: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    if (host === undefined) return;
    const key = `${reason} ${host}`;
    const known = this.#byHost.get(key);
    if (known !== undefined) known.count++;
    else if (this.#byHost.size < HOSTS_MAX) this.#byHost.set(key, { host, reason, count: 1 });
  }

  /** What came together since the last call, as names of counters. */
  take(): Record<string, number> {
    const amounts: Record<string, number> = {};
    for (const [reason, count] of this.#counts) amounts[`refused.${reason}`] = count;
    this.#counts = new Map();
    return amounts;
  }

  /** The same of traps by their hosts. */
  takeByHost(): HostRefusal[] {
    const counts = [...this.#byHost.values()];
    this.#byHost = new Map();
    return counts;
  }
}
