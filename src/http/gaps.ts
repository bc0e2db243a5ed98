import type { VisitRow } from "./deps.ts";

export interface GapBin {
  label: string;
  count: number;
  /** Shorter than the delay: politeness was broken, or the delay was longer set since. */
  isShort: boolean;
}

/** Upper ends of the bins, as multiples of the delay. */
const EDGES: readonly (readonly [until: number, label: string])[] = [
  [1, "under 1×"],
  [1.1, "1 to 1.1×"],
  [1.5, "1.1 to 1.5×"],
  [2, "1.5 to 2×"],
  [5, "2 to 5×"],
  [Number.POSITIVE_INFINITY, "over 5×"],
];

/**
 * Gaps from the end of one answer to the start of the next request, in bins.
 * `visits` of one host, in any order; those that never fetched are left out.
 */
export function gapBins(visits: readonly VisitRow[], delayMs: number): GapBin[] {
  const fetched = visits
    .flatMap(({ fetchStartedAt, fetchedAt }) =>
      fetchStartedAt === null
        ? []
        : [
            {
              startedAt: fetchStartedAt.getTime(),
              endedAt: (fetchedAt ?? fetchStartedAt).getTime(),
            },
          ],
    )
    .sort((a, b) => a.startedAt - b.startedAt);
  const counts = EDGES.map(() => 0);
  for (let at = 1; at < fetched.length; at += 1) {
    const gapMs = fetched[at]!.startedAt - fetched[at - 1]!.endedAt;
    const ratio = delayMs === 0 ? 1 : gapMs / delayMs;
    const bin = EDGES.findIndex(([until]) => ratio < until);
    counts[bin < 0 ? EDGES.length - 1 : bin]! += 1;
  }
  return EDGES.map(([, label], index) => ({ label, count: counts[index]!, isShort: index === 0 }));
}
