import type { VisitRow } from "./deps.ts";

export interface GapBin {
  label: string;
  count: number;
  /** Shorter than the delay: politeness was broken, or the delay was longer set since. */
  isShort: boolean;
}

type Edges = readonly (readonly [until: number, label: string])[];

/** Upper ends of the bins, as multiples of the delay. */
const RATIOS: Edges = [
  [1, "under 1×"],
  [1.1, "1 to 1.1×"],
  [1.5, "1.1 to 1.5×"],
  [2, "1.5 to 2×"],
  [5, "2 to 5×"],
  [Number.POSITIVE_INFINITY, "over 5×"],
];

/** The same in milliseconds, for a host without a delay. */
const TIMES: Edges = [
  [10, "under 10 ms"],
  [100, "10 to 100 ms"],
  [1_000, "0.1 to 1 s"],
  [10_000, "1 to 10 s"],
  [60_000, "10 to 60 s"],
  [Number.POSITIVE_INFINITY, "over 1 min"],
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
  const edges = delayMs === 0 ? TIMES : RATIOS;
  const counts = edges.map(() => 0);
  for (let at = 1; at < fetched.length; at += 1) {
    const gapMs = fetched[at]!.startedAt - fetched[at - 1]!.endedAt;
    const size = delayMs === 0 ? gapMs : gapMs / delayMs;
    const bin = edges.findIndex(([until]) => size < until);
    counts[bin < 0 ? edges.length - 1 : bin]! += 1;
  }
  return edges.map(([, label], index) => ({
    label,
    count: counts[index]!,
    isShort: delayMs > 0 && index === 0,
  }));
}
