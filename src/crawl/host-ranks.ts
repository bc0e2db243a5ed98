import type { Db } from "../db/connect.ts";
import { type RankedHost, rankedHostsAfter } from "../db/host-ranking.ts";
import { regionScoreOfHost, thousandths } from "../frontier/region.ts";
import { type HostRank, IndexUnavailable, type SearchIndex } from "../search/port.ts";

interface RankDeps {
  db: Db;
  index: SearchIndex;
}

/** What all documents of a host are ranked by. */
export const rankOf = (host: Omit<RankedHost, "id">): HostRank => ({
  host: host.name,
  authority: host.authority,
  region: host.regionCount === 0 ? null : thousandths(regionScoreOfHost(host)) / 1_000,
});

/** Hosts looked at in one go. */
const SLICE = 1_000;
/** Less of a difference moves no result, and the region score moves with every page. */
const DIFFERENCE_MIN = 0.005;

export type Aligned =
  /** `told`: hosts of which the index said something else. Null: that was the last one. */
  { kind: "aligned"; told: number; next: number | null } | { kind: "unavailable"; detail: string };

/** Makes the index rank the next hosts, in order of their ids, as the store does. */
async function alignRanksAfter({ db, index }: RankDeps, after: number): Promise<Aligned> {
  const hosts = await rankedHostsAfter(db, after, SLICE);
  const next = hosts.length < SLICE ? null : hosts.at(-1)!.id;
  try {
    const known = await index.ranks(hosts.map(({ name }) => name));
    const told = new Map(known.map((rank) => [rank.host, rank]));
    const differ = hosts.map(rankOf).filter((rank) => isOther(rank, told.get(rank.host)));
    if (differ.length > 0) {
      const put = await index.rankHosts(differ);
      if (put.kind === "unavailable") return put;
    }
    return { kind: "aligned", told: differ.length, next };
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    return { kind: "unavailable", detail: error.message };
  }
}

function isOther(rank: HostRank, told: HostRank | undefined): boolean {
  const { authority = 0, region = null } = told ?? {};
  if ((rank.region === null) !== (region === null)) return true;
  const differences = [rank.authority - authority, (rank.region ?? 0) - (region ?? 0)];
  return differences.some((difference) => Math.abs(difference) >= DIFFERENCE_MIN);
}

/** All hosts: an index that was made anew knows none. Gives how many it was told of. */
export async function alignRanks(deps: RankDeps): Promise<number> {
  let told = 0;
  for (let after: number | null = 0; after !== null; ) {
    const aligned: Aligned = await alignRanksAfter(deps, after);
    if (aligned.kind === "unavailable") {
      throw new Error(`the index is not to be had: ${aligned.detail}`);
    }
    told += aligned.told;
    after = aligned.next;
  }
  return told;
}

/**
 * Walks, slowly and for ever, through the hosts: settles move their region scores, and say nothing
 * of it to the index.
 */
export class RanksWalk {
  readonly #deps: RankDeps;
  #after = 0;

  constructor(deps: RankDeps) {
    this.#deps = deps;
  }

  async step(): Promise<Aligned> {
    const aligned = await alignRanksAfter(this.#deps, this.#after);
    if (aligned.kind === "aligned") this.#after = aligned.next ?? 0;
    return aligned;
  }
}
