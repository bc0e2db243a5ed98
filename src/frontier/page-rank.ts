/** Links between nodes: those of node n go to `targets` from `starts[n]` up to `starts[n + 1]`. */
export interface LinkGraph {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
}

const DAMPING = 0.85;
/** Sum of all changes of a round, of ranks that sum up to 1. */
const CONVERGED = 1e-10;
/** The damping alone is below that after 142. */
const ROUNDS_MAX = 200;

/**
 * PageRank with a personalised restart: who follows links at random begins anew at one of the
 * seeds, and where a node leads nowhere; without seeds, anywhere. Ranks sum up to 1.
 */
export function pageRank({ starts, targets }: LinkGraph, seeded: Uint8Array): Float64Array {
  const count = seeded.length;
  const restart = restartOf(seeded);
  let ranks = restart.slice();
  let next = new Float64Array(count);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    next.fill(0);
    let stranded = 0;
    for (let node = 0; node < count; node++) {
      const [first, end] = [starts[node]!, starts[node + 1]!];
      if (first === end) stranded += ranks[node]!;
      const share = ranks[node]! / (end - first);
      for (let at = first; at < end; at++) next[targets[at]!]! += share;
    }
    const restarts = 1 - DAMPING + DAMPING * stranded;
    let change = 0;
    for (let node = 0; node < count; node++) {
      const rank = DAMPING * next[node]! + restarts * restart[node]!;
      change += Math.abs(rank - ranks[node]!);
      next[node] = rank;
    }
    [ranks, next] = [next, ranks];
    if (change < CONVERGED) break;
  }
  return ranks;
}

function restartOf(seeded: Uint8Array): Float64Array {
  const seeds = seeded.reduce((sum, seed) => sum + (seed === 0 ? 0 : 1), 0);
  const restart = new Float64Array(seeded.length);
  if (seeds === 0) return restart.fill(1 / seeded.length);
  for (let node = 0; node < seeded.length; node++) {
    if (seeded[node] !== 0) restart[node] = 1 / seeds;
  }
  return restart;
}
