/** Scores are kept as thousandths: sums of them are exact. */
export const thousandths = (score: number): number => Math.round(score * 1_000);

/** Pages that every host is taken to have at a half, before any of its own is known. */
const PSEUDO_PAGES = 5;

export interface RegionCounts {
  /** Scores of its documents, in thousandths. */
  readonly regionSum: number;
  readonly regionCount: number;
}

/** The mean of the scores of a host's pages, nearer to a half the fewer they are. */
export function regionScoreOfHost({ regionSum, regionCount }: RegionCounts): number {
  return (regionSum / 1_000 + PSEUDO_PAGES * 0.5) / (regionCount + PSEUDO_PAGES);
}

/** From here on a host is of the region; and what a page links to, when it is not known yet. */
const HOST_ENOUGH = 0.5;
const LINK_ENOUGH = 0.6;
/** Documents after which a host may be told to be of the region. */
const PROVEN_AFTER = 3;
/** Pages that a host has to show what it is. */
export const PROBATION_PAGES = 5;
/**
 * Visits that left no document, after which a host on probation has failed: one that redirects for
 * ever, or forbids its pages to be indexed, would never have shown what it is.
 */
export const FRUITLESS_MAX = 50;
/** A host that failed is asked again then. */
export const OUT_OF_REGION_MS = 90 * 86_400_000;

export type RegionStanding = "in" | "probation" | "out";

/** What its documents so far make of a host that no suffix decides for. */
export function standingOf(counts: RegionCounts): RegionStanding {
  const isAbove = regionScoreOfHost(counts) >= HOST_ENOUGH;
  if (counts.regionCount >= PROVEN_AFTER && isAbove) return "in";
  return counts.regionCount >= PROBATION_PAGES ? "out" : "probation";
}

/**
 * What speaks for a URL whose host no suffix decides for: it is the page's `own` site, the page is
 * of the region and vouches for it, or nothing does. The store knows the host, and has the word.
 */
export type RegionClaim = "own" | "vouched" | "asks";

export interface RegionSource {
  /** Registrable domain of the page. */
  readonly domain: string;
  /** Of the page; null: it was not scored. */
  readonly score: number | null;
}

export function regionClaim(
  domain: string,
  via: string,
  source: RegionSource | undefined,
): RegionClaim {
  if (source?.domain === domain) return "own";
  if (via === "redirect" || via === "canonical") return "vouched";
  return (source?.score ?? 0) >= LINK_ENOUGH ? "vouched" : "asks";
}
