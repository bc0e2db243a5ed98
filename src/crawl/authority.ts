import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import {
  dropDanglingLinks,
  packedHosts,
  packedLinks,
  rankedHosts,
  rankedUpTo,
  rankingAlone,
  readRanking,
  type StoredRank,
  saveRanks,
} from "../db/host-ranking.ts";
import { boostHosts } from "../db/priority-boost.ts";
import {
  HOST_BYTES,
  LINK_BYTES,
  type PackedGraph,
  type RankChanges,
} from "../frontier/host-graph.ts";
import { linkBoost } from "../frontier/priority.ts";
import type { Log } from "../log.ts";
import type { SearchIndex } from "../search/port.ts";
import { createThreads } from "../threads.ts";
import { rankOf } from "./host-ranks.ts";

const HOUR_MS = 3_600_000;
/** Seeds, blocks and scores of the region change without a link. */
const ANYHOW_MS = 24 * HOUR_MS;
const BATCH = 500;
/** What is beyond is left out, and told: so many take 64 MB, and the thread six times as much. */
const HOSTS_MAX = 1_000_000;
const LINKS_MAX = 5_000_000;
const CUT = { hostsMax: HOSTS_MAX, linksMax: LINKS_MAX };
/** So many take 5 s where nothing else runs. */
const BUDGET_MS = 120_000;

interface AuthorityDeps {
  db: Db;
  index: SearchIndex;
  clock: Clock;
  log: Log;
}

export type Ranking =
  /** `changed`: hosts of which something else is written now. */
  | { kind: "ranked"; changed: number; hosts: number; links: number }
  /** Nothing to do, or another process does it. */
  | { kind: "rests" }
  | { kind: "failed"; detail: string };

/** The chore: ranks hosts anew, once an hour at most, when links have changed. */
export async function rankWhenStale(deps: AuthorityDeps): Promise<Ranking> {
  const isDue = async () => {
    const { isStale, ageMs } = await readRanking(deps.db);
    return isStale ? ageMs === null || ageMs >= HOUR_MS : ageMs !== null && ageMs >= ANYHOW_MS;
  };
  if (!(await isDue())) return { kind: "rests" };
  const ranked = await rankingAlone(deps.db, async () => {
    // Another process may have done it just now.
    return (await isDue()) ? await rankAll(deps) : null;
  });
  return ranked ?? { kind: "rests" };
}

/** Ranks all hosts: in a thread, since a large graph takes seconds. */
async function rankAll(deps: AuthorityDeps): Promise<Ranking> {
  const { db, log } = deps;
  const { changes } = await readRanking(db);
  const hosts = await gathered(packedHosts(db), HOSTS_MAX * HOST_BYTES);
  const links = await gathered(packedLinks(db), LINKS_MAX * LINK_BYTES);
  if (hosts.isCut || links.isCut) log.warn("authority.partial", CUT);
  const computed = await rankInThread(deps, { hosts: hosts.pieces, links: links.pieces });
  if (computed.kind !== "done") return { kind: "failed", detail: computed.kind };
  const { value } = computed;
  for (let at = 0; at < value.ids.length; at += BATCH) {
    const failed = await writeRanks(deps, ranksOf(value, at, at + BATCH));
    if (failed !== null) return { kind: "failed", detail: failed };
  }
  if (value.dangling > 0) await dropDanglingLinks(db);
  await rankedUpTo(db, changes);
  const counts = { changed: value.ids.length, hosts: value.hosts, links: value.links };
  log.info("authority.ranked", counts);
  return { kind: "ranked", ...counts };
}

async function gathered(read: AsyncGenerator<Uint8Array>, bytesMax: number) {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of read) {
    bytes += piece.length;
    if (bytes > bytesMax) return { pieces, isCut: true };
    pieces.push(piece);
  }
  return { pieces, isCut: false };
}

async function rankInThread({ clock, log }: AuthorityDeps, graph: PackedGraph) {
  const threads = createThreads<PackedGraph, RankChanges>({
    url: new URL("./authority-thread.ts", import.meta.url),
    ...{ size: 1, budgetMs: BUDGET_MS, queueMax: 1, clock, log },
  });
  try {
    return await threads.run(graph);
  } finally {
    await threads.close();
  }
}

const ranksOf = ({ ids, authority, linkingHosts }: RankChanges, from: number, to: number) =>
  Array.from(
    ids.subarray(from, to),
    (id, at): StoredRank => ({
      id,
      authority: authority[from + at]!,
      linkingHosts: linkingHosts[from + at]!,
    }),
  );

/** The index first: what it was not told of still differs in the store the next time. */
async function writeRanks(
  { db, index }: Pick<AuthorityDeps, "db" | "index">,
  ranks: readonly StoredRank[],
): Promise<string | null> {
  const authorities = new Map(ranks.map(({ id, authority }) => [id, authority]));
  const hosts = await rankedHosts(db, [...authorities.keys()]);
  const told = hosts.map((host) => rankOf({ ...host, authority: authorities.get(host.id)! }));
  const put = await index.rankHosts(told);
  if (put.kind !== "stored") return "detail" in put ? put.detail : put.kind;
  await saveRanks(db, ranks);
  const boosts = ranks.map(({ id, linkingHosts }) => ({ id, boost: linkBoost(linkingHosts) }));
  await boostHosts(
    db,
    boosts.filter(({ boost }) => boost > 0),
  );
  return null;
}
