import { type LinkGraph, pageRank } from "./page-rank.ts";

/** Hosts by their place, and the links between them; none within a registrable domain. */
export interface HostGraph extends LinkGraph {
  /** A number for each registrable domain, below the number of hosts. */
  readonly domains: Uint32Array;
  /** How much a link of that host counts, 0..1: its score of the region. */
  readonly weights: Float32Array;
  /** 1: a person named it. */
  readonly seeded: Uint8Array;
}

export interface HostRanks {
  /** 0..1 */
  readonly authority: Float32Array;
  /** Registrable domains with a link to it. */
  readonly linkingHosts: Uint32Array;
}

/** Beyond so many, who links counts too, not merely how many do. */
export const COUNTED_HOSTS_MAX = 1_000;

/**
 * What stands for an authority of 1 at least, so that the best of a few is not taken for the best
 * of many: as many linking hosts, and as many times the mean of all ranks.
 */
const FULL_AMOUNT = 20;

/**
 * How much other sites make of a host. Of few hosts: the linking ones, weighted, those of a domain
 * counted as its weightiest one; of many their PageRank, from the seeds. The amount `a` becomes
 * `log(1 + a) / log(1 + full)`, where `full` is the largest of all, or `FULL_AMOUNT`.
 */
export function rankHosts(graph: HostGraph): HostRanks {
  const count = graph.seeded.length;
  const { amounts, linkingHosts } = linkAmounts(graph);
  if (count <= COUNTED_HOSTS_MAX) return { authority: normalised(amounts), linkingHosts };
  const ranks = pageRank(graph, graph.seeded);
  return { authority: normalised(ranks.map((rank) => rank * count)), linkingHosts };
}

function normalised(amounts: Float64Array): Float32Array {
  const largest = amounts.reduce((most, amount) => Math.max(most, amount), FULL_AMOUNT);
  const full = Math.log1p(largest);
  return new Float32Array(amounts.map((amount) => Math.log1p(amount) / full));
}

/** Of each host the linking domains: their number, and the sum of the best weight of each. */
function linkAmounts(graph: HostGraph): { amounts: Float64Array; linkingHosts: Uint32Array } {
  const { domains, weights } = graph;
  const count = domains.length;
  const amounts = new Float64Array(count);
  const linkingHosts = new Uint32Array(count);
  const { starts, targets: sources } = reversed(graph);
  /** By domain: the host that it was last met at, from 1, and its best weight there. */
  const metAt = new Uint32Array(count);
  const best = new Float32Array(count);
  for (let host = 0; host < count; host++) {
    for (let at = starts[host]!; at < starts[host + 1]!; at++) {
      const source = sources[at]!;
      const domain = domains[source]!;
      if (domain === domains[host]) continue;
      if (metAt[domain] !== host + 1) {
        metAt[domain] = host + 1;
        best[domain] = 0;
        linkingHosts[host]!++;
      }
      const more = weights[source]! - best[domain]!;
      if (more <= 0) continue;
      best[domain] = weights[source]!;
      amounts[host]! += more;
    }
  }
  return { amounts, linkingHosts };
}

/** The same links, by their targets. */
function reversed({ starts, targets }: LinkGraph): LinkGraph {
  const count = starts.length - 1;
  const ends = new Uint32Array(count + 1);
  for (let at = 0; at < targets.length; at++) ends[targets[at]! + 1]!++;
  for (let node = 0; node < count; node++) ends[node + 1]! += ends[node]!;
  const sources = new Uint32Array(targets.length);
  const free = ends.slice();
  for (let node = 0; node < count; node++) {
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      sources[free[targets[at]!]!++] = node;
    }
  }
  return { starts: ends, targets: sources };
}
