import type { UrlColumns, UrlIdentity } from "./url-event.ts";

/** A URL before its row: what the store gives a new row by itself. */
export const NEW_URL: UrlIdentity & UrlColumns = {
  url: "",
  depth: 0,
  nextCrawlAt: null,
  priority: 100,
  hops: 0,
  attempts: 0,
  crashes: 0,
  misses: 0,
  leaseToken: null,
  claimedAt: null,
  fetchingAt: null,
  reason: null,
  status: null,
  visits: 0,
  changes: 0,
  visitedAt: null,
  crawledAt: null,
  intervalS: null,
  etag: null,
  lastModified: null,
  contentHash: null,
  targetId: null,
};

export const LEASE_OFF = { leaseToken: null, claimedAt: null, fetchingAt: null } as const;

/** Without validators the next fetch is unconditional: a 304 could not bring the page back. */
export const OUT_OF_INDEX = {
  etag: null,
  lastModified: null,
  contentHash: null,
  intervalS: null,
} as const;

/**
 * A document stands and falls with the interval: each success sets it, and it is null again once
 * the page has left the index. While visits end in `failed`, it is minus the revisit interval.
 */
export function hasDocument({ intervalS }: Pick<UrlColumns, "intervalS">): boolean {
  return intervalS !== null;
}
