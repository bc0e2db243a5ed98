import type { Unfolded } from "./duplicates.ts";

export interface Collapsed extends Unfolded {
  /** Further results of the host that are not shown; said once, on the last one that is. */
  moreFromHost: number;
}

const PER_HOST = 2;

/** At most two results a host, in order. */
export function collapseHosts(results: readonly Unfolded[]): Collapsed[] {
  const counts = new Map<string, number>();
  for (const { result } of results) {
    counts.set(result.candidate.host, (counts.get(result.candidate.host) ?? 0) + 1);
  }
  const places = new Map<string, number>();
  return results.flatMap((unfolded) => {
    const { host } = unfolded.result.candidate;
    const count = counts.get(host)!;
    const place = places.get(host) ?? 0;
    places.set(host, place + 1);
    if (place >= PER_HOST) return [];
    const isLast = place === Math.min(PER_HOST, count) - 1;
    return [{ ...unfolded, moreFromHost: isLast ? Math.max(0, count - PER_HOST) : 0 }];
  });
}
