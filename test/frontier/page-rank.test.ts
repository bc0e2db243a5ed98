import { describe, expect, test } from "bun:test";
import { type LinkGraph, pageRank } from "../../src/frontier/page-rank.ts";
import { type Links, plainPageRank, powerLaw } from "../support/host-graph.ts";

function graphOf(hosts: number, links: Links): LinkGraph {
  const starts = new Uint32Array(hosts + 1);
  for (const [from] of links) starts[from + 1]!++;
  for (let at = 0; at < hosts; at++) starts[at + 1]! += starts[at]!;
  return { starts, targets: Uint32Array.from(links, ([, to]) => to) };
}

const seededOf = (hosts: number, seeds: readonly number[]) => {
  const seeded = new Uint8Array(hosts);
  for (const seed of seeds) seeded[seed] = 1;
  return seeded;
};

const ranksOf = (hosts: number, links: Links, seeds: readonly number[]) => [
  ...pageRank(graphOf(hosts, links), seededOf(hosts, seeds)),
];

describe("PageRank", () => {
  test("of 20,000 hosts agrees with a plain computation to 1e-6, within 5 s", () => {
    const hosts = 20_000;
    const links = powerLaw(hosts, 12, 7);
    const seeds = [3, 77, 4_000, 19_999];
    const graph = graphOf(hosts, links);
    const seeded = seededOf(hosts, seeds);
    const began = performance.now();
    const ranks = pageRank(graph, seeded);
    const tookMs = performance.now() - began;
    console.log(`PageRank of ${hosts} hosts, ${links.length} links: ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(5_000);
    const plain = plainPageRank(hosts, links, seeds);
    const worst = Math.max(...plain.map((rank, at) => Math.abs(rank - ranks[at]!)));
    // Of the largest ranks; what is small must agree as well, in its own measure.
    expect(worst).toBeLessThan(1e-8);
    const relative = plain.map((rank, at) => Math.abs(rank - ranks[at]!) / Math.max(rank, 1e-9));
    expect(Math.max(...relative)).toBeLessThan(1e-6);
  });

  test("sums up to 1, dead ends or not", () => {
    for (const links of [[], [[0, 1]], powerLaw(50, 3, 1)] as Links[]) {
      const sum = ranksOf(50, links, [0]).reduce((all, rank) => all + rank, 0);
      expect(sum).toBeCloseTo(1, 9);
    }
  });

  test("is worked out by hand for two hosts", () => {
    // a = 0.15 + 0.85 b, for b leads nowhere and begins anew at a; b = 0.85 a.
    const [a, b] = ranksOf(2, [[0, 1]], [0]);
    expect(a).toBeCloseTo(1 / 1.85, 9);
    expect(b).toBeCloseTo(0.85 / 1.85, 9);
  });

  test("knows hosts that no seed leads to as nothing; without seeds all are one", () => {
    const farm: Links = [
      [2, 3],
      [3, 2],
    ];
    expect(ranksOf(4, farm, [0])).toEqual([1, 0, 0, 0]);
    expect(ranksOf(4, [], []).every((rank) => Math.abs(rank - 0.25) < 1e-12)).toBe(true);
    expect(ranksOf(0, [], [])).toEqual([]);
  });
});
