import { type HostGraph, rankHosts } from "./authority.ts";

/** Bytes of a host as the store packs it, big-endian: see `readRankedHosts`. */
export const HOST_BYTES = 24;
/** Bytes of a link: ids of both hosts. */
export const LINK_BYTES = 8;

export const SEEDED = 1;
/** Neither it nor what it links to counts. */
export const BLOCKED = 2;

/** Both in ascending order of ids, in as many pieces as they were read in. */
export interface PackedGraph {
  hosts: readonly Uint8Array[];
  links: readonly Uint8Array[];
}

/** What has changed, by places that belong together. */
export interface RankChanges {
  ids: Int32Array<ArrayBuffer>;
  authority: Float32Array<ArrayBuffer>;
  linkingHosts: Uint32Array<ArrayBuffer>;
  /** Hosts that were ranked. */
  hosts: number;
  links: number;
  /** Links of hosts that are not there. */
  dangling: number;
}

/** Less of a change moves no result, and a row would be written for each host each time. */
const CHANGE_MIN = 0.002;

interface Hosts {
  ids: Int32Array;
  domains: Int32Array;
  /** As they are stored. */
  authority: Float32Array;
  linkingHosts: Uint32Array;
  weights: Float32Array;
  flags: Uint8Array;
}

/** Ranks all hosts, and gives those of which something else is stored. */
export function rankPacked(packed: PackedGraph): RankChanges {
  const hosts = unpackHosts(packed.hosts);
  const { graph, dangling } = graphOf(hosts, packed.links);
  const { authority, linkingHosts } = rankHosts(graph);
  const changed: number[] = [];
  for (let at = 0, node = 0; at < hosts.ids.length; at++) {
    const isRanked = (hosts.flags[at]! & BLOCKED) === 0;
    // In place: a host stands at its place or before it among those that are ranked.
    const [rank, linking] = isRanked ? [authority[node]!, linkingHosts[node]!] : [0, 0];
    if (isRanked) node++;
    const moved = Math.abs(rank - hosts.authority[at]!);
    const isOther = moved >= CHANGE_MIN || (rank === 0 && moved > 0);
    if (!isOther && linking === hosts.linkingHosts[at]) continue;
    hosts.authority[at] = rank;
    hosts.linkingHosts[at] = linking;
    changed.push(at);
  }
  return {
    ids: Int32Array.from(changed, (at) => hosts.ids[at]!),
    authority: Float32Array.from(changed, (at) => hosts.authority[at]!),
    linkingHosts: Uint32Array.from(changed, (at) => hosts.linkingHosts[at]!),
    hosts: graph.seeded.length,
    links: graph.targets.length,
    dangling,
  };
}

function unpackHosts(pieces: readonly Uint8Array[]): Hosts {
  const count = lengthOf(pieces) / HOST_BYTES;
  const hosts: Hosts = {
    ids: new Int32Array(count),
    domains: new Int32Array(count),
    authority: new Float32Array(count),
    linkingHosts: new Uint32Array(count),
    weights: new Float32Array(count),
    flags: new Uint8Array(count),
  };
  let at = 0;
  for (const piece of pieces) {
    const view = viewOf(piece);
    for (let from = 0; from < piece.length; from += HOST_BYTES, at++) {
      hosts.ids[at] = view.getInt32(from);
      hosts.domains[at] = view.getInt32(from + 4);
      hosts.authority[at] = view.getFloat32(from + 8);
      hosts.linkingHosts[at] = view.getInt32(from + 12);
      hosts.weights[at] = view.getFloat32(from + 16);
      hosts.flags[at] = view.getInt32(from + 20);
    }
  }
  return hosts;
}

/** Of the hosts that are ranked; links of others are left out. */
function graphOf(
  hosts: Hosts,
  pieces: readonly Uint8Array[],
): { graph: HostGraph; dangling: number } {
  const ranked = hosts.ids.map((_, at) => at).filter((at) => (hosts.flags[at]! & BLOCKED) === 0);
  const ids = ranked.map((at) => hosts.ids[at]!);
  const starts = new Uint32Array(ids.length + 1);
  const targets = new Uint32Array(lengthOf(pieces) / LINK_BYTES);
  let [links, dangling] = [0, 0];
  for (const piece of pieces) {
    const view = viewOf(piece);
    let [lastId, source] = [-1, -1];
    for (let from = 0; from < piece.length; from += LINK_BYTES) {
      const id = view.getInt32(from);
      if (id !== lastId) [lastId, source] = [id, placeOf(ids, id)];
      const targetId = view.getInt32(from + 4);
      const target = placeOf(ids, targetId);
      if (source < 0 || target < 0) {
        if (placeOf(hosts.ids, id) < 0 || placeOf(hosts.ids, targetId) < 0) dangling++;
        continue;
      }
      targets[links++] = target;
      starts[source + 1]!++;
    }
  }
  for (let node = 0; node < ids.length; node++) starts[node + 1]! += starts[node]!;
  const graph = {
    starts,
    targets: targets.subarray(0, links),
    domains: numbered(ranked.map((at) => hosts.domains[at]!)),
    weights: picked(hosts.weights, ranked),
    seeded: picked(hosts.flags, ranked).map((flags) => flags & SEEDED),
  };
  return { graph, dangling };
}

/** Equal values get the same number, from 0 on. */
function numbered(values: Int32Array): Uint32Array {
  const sorted = values.slice().sort();
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (at === 0 || sorted[at] !== sorted[count - 1]) sorted[count++] = sorted[at]!;
  }
  const distinct = sorted.subarray(0, count);
  return new Uint32Array(values.map((value) => placeOf(distinct, value)));
}

/** `from` with a function would gather a list of all first. */
function picked<A extends Float32Array | Uint8Array>(values: A, places: Int32Array): A {
  const chosen = values.slice(0, places.length) as A;
  for (let at = 0; at < places.length; at++) chosen[at] = values[places[at]!]!;
  return chosen;
}

/** -1: it is not among them. */
function placeOf(sorted: Int32Array, value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = sorted[middle]!;
    if (there === value) return middle;
    if (there < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const lengthOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, piece) => sum + piece.length, 0);

const viewOf = (piece: Uint8Array): DataView =>
  new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
