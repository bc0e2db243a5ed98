import type { Scored } from "./score.ts";

export interface Collapsed {
  result: Scored;
  /** Further results of the host that are not shown; said once, on the last one that is. */
  moreFromHost: number;
}

const PER_HOST = 2;

/** At most two results a host, in order. */
export function collapseHosts(results: readonly Scored[]): Collapsed[] {
  const byHost = Map.groupBy(results, ({ candidate }) => candidate.host);
  return results.flatMap((result) => {
    const own = byHost.get(result.candidate.host)!;
    const place = own.indexOf(result);
    if (place >= PER_HOST) return [];
    const isLast = place === Math.min(PER_HOST, own.length) - 1;
    return [{ result, moreFromHost: isLast ? Math.max(0, own.length - PER_HOST) : 0 }];
  });
}
