import { seededChance } from "./chance.ts";

/** Links as pairs of places, distinct, none to itself. */
export type Links = readonly (readonly [from: number, to: number])[];

/** A graph as the web is: a few hosts are linked to by most, and many by nearly nobody. */
export function powerLaw(hosts: number, linksEach: number, seed: number): Links {
  const random = seededChance(seed);
  const links = new Map<number, readonly [number, number]>();
  for (let from = 0; from < hosts; from++) {
    // One in five leads nowhere.
    if (random() < 0.2) continue;
    const count = Math.ceil(linksEach * 2 * random());
    for (let nth = 0; nth < count; nth++) {
      const to = Math.floor(hosts * random() ** 4);
      if (to !== from) links.set(from * hosts + to, [from, to]);
    }
  }
  return [...links.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** The text-book way, over lists and maps: what every rank says is the sum of its parts. */
export function plainPageRank(hosts: number, links: Links, seeds: readonly number[]): number[] {
  const outgoing = new Map<number, number[]>();
  for (const [from, to] of links) outgoing.set(from, [...(outgoing.get(from) ?? []), to]);
  const seedSet = new Set(seeds);
  const restart = Array.from({ length: hosts }, (_, at) => {
    if (seeds.length === 0) return 1 / hosts;
    return seedSet.has(at) ? 1 / seeds.length : 0;
  });
  let ranks = restart.map(() => 1 / hosts);
  for (let round = 0; round < 150; round++) {
    const next = restart.map((part) => 0.15 * part);
    let stranded = 0;
    for (let at = 0; at < hosts; at++) {
      const to = outgoing.get(at);
      if (to === undefined) stranded += ranks[at]!;
      else for (const each of to) next[each]! += (0.85 * ranks[at]!) / to.length;
    }
    for (let at = 0; at < hosts; at++) next[at]! += 0.85 * stranded * restart[at]!;
    ranks = next;
  }
  return ranks;
}

/** The amount that counts fully, as README of frontier/ says. */
export const asAuthority = (amounts: readonly number[]): number[] => {
  const full = Math.log(1 + Math.max(20, ...amounts));
  return amounts.map((amount) => Math.log(1 + amount) / full);
};
