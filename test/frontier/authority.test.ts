import { describe, expect, test } from "bun:test";
import { COUNTED_HOSTS_MAX, type HostGraph, rankHosts } from "../../src/frontier/authority.ts";
import { asAuthority, type Links, plainPageRank, powerLaw } from "../support/host-graph.ts";

interface Given {
  domains?: number[];
  weights?: number[];
  seeds?: number[];
}

function graphOf(hosts: number, links: Links, given: Given = {}): HostGraph {
  const starts = new Uint32Array(hosts + 1);
  for (const [from] of links) starts[from + 1]!++;
  for (let at = 0; at < hosts; at++) starts[at + 1]! += starts[at]!;
  const seeded = new Uint8Array(hosts);
  for (const seed of given.seeds ?? []) seeded[seed] = 1;
  return {
    starts,
    targets: Uint32Array.from(links, ([, to]) => to),
    domains: Uint32Array.from(given.domains ?? Array.from({ length: hosts }, (_, at) => at)),
    weights: Float32Array.from(given.weights ?? Array.from({ length: hosts }, () => 0.5)),
    seeded,
  };
}

const log = (amount: number) => Math.log(1 + amount) / Math.log(21);

describe("authority of few hosts", () => {
  test.each<[string, Links, Given, number, number, number]>([
    ["nobody links to it", [[0, 1]], {}, 0, 0, 0],
    ["one does", [[0, 1]], {}, 1, log(0.5), 1],
    [
      "two do",
      [
        [0, 2],
        [1, 2],
      ],
      {},
      2,
      log(1),
      2,
    ],
    [
      "two of one domain count once",
      [
        [0, 2],
        [1, 2],
      ],
      { domains: [5, 5, 2, 3, 4, 1] },
      2,
      log(0.5),
      1,
    ],
    [
      "by the one that counts more",
      [
        [0, 2],
        [1, 2],
      ],
      { domains: [5, 5, 2, 3, 4, 1], weights: [0.2, 0.9, 0, 0, 0, 0] },
      2,
      log(0.9),
      1,
    ],
    [
      "one's own domain does not count",
      [
        [0, 2],
        [1, 2],
      ],
      { domains: [2, 1, 2, 3, 4, 5] },
      2,
      log(0.5),
      1,
    ],
    [
      "links are weighed by the region",
      [
        [0, 2],
        [1, 2],
      ],
      { weights: [1, 0.25, 0, 0, 0, 0] },
      2,
      log(1.25),
      2,
    ],
    ["a link of no weight still counts as one", [[0, 2]], { weights: [0, 0, 0, 0, 0, 0] }, 2, 0, 1],
  ])("%s", (_, links, given, host, authority, linking) => {
    const ranks = rankHosts(graphOf(6, links, given));
    expect(ranks.authority[host]).toBeCloseTo(authority, 6);
    expect(ranks.linkingHosts[host]).toBe(linking);
  });

  test("lies within 0..1, and the most linked of many is 1", () => {
    const links: Links = Array.from({ length: 60 }, (_, at) => [at + 1, 0] as const);
    const { authority } = rankHosts(graphOf(61, links));
    expect(authority[0]).toBeCloseTo(1, 6);
    expect(authority[1]).toBe(0);
  });
});

describe("authority of more than 1,000 hosts", () => {
  const hosts = COUNTED_HOSTS_MAX + 1;
  const links = powerLaw(hosts, 8, 3);

  test("is their PageRank, in multiples of the mean", () => {
    const { authority } = rankHosts(graphOf(hosts, links, { seeds: [1, 2, 3] }));
    const plain = asAuthority(plainPageRank(hosts, links, [1, 2, 3]).map((rank) => rank * hosts));
    const worst = Math.max(...plain.map((rank, at) => Math.abs(rank - authority[at]!)));
    expect(worst).toBeLessThan(1e-6);
    expect(Math.max(...authority)).toBeLessThanOrEqual(1);
  });

  test("a farm that no seed leads to gets nothing, however many link", () => {
    const farm: Links = [
      ...powerLaw(500, 8, 3),
      ...Array.from({ length: 400 }, (_, at) => [600 + at, 550] as const),
    ];
    const ranks = rankHosts(graphOf(hosts, farm, { seeds: [1] }));
    expect([ranks.authority[550], ranks.linkingHosts[550]]).toEqual([0, 400]);
  });
});
