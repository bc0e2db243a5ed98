import { blockHostUrls } from "../db/host-urls.ts";
import { type HostRow, readHost, setHostState } from "../db/hosts.ts";
import {
  askUnjudged,
  countFruitless,
  OUT_OF_REGION,
  openShutUrls,
  outOfRegionHosts,
  shutUrlsAfter,
} from "../db/region-hosts.ts";
import type { TurnEnd as TurnRowEnd } from "../db/turns.ts";
import {
  FRUITLESS_MAX,
  OUT_OF_REGION_MS,
  PROBATION_PAGES,
  regionScoreOfHost,
  standingOf,
} from "../frontier/region.ts";
import { decidingSuffixes, isBelow } from "../text/region/profile.ts";
import type { CrawlDeps } from "./deps.ts";
import type { OperateDeps } from "./move-url.ts";
import { inBatches } from "./operate.ts";

const BATCH = 1_000;
/** Blocked URLs of one look for those that were forgotten: some milliseconds of the store. */
const SLICE = 5_000;

type Named = Pick<HostRow, "name">;

/** Its pages decide whether it is crawled: the scope is the region, and its name says nothing. */
function isJudged({ config }: Pick<CrawlDeps, "config">, host: Named): boolean {
  const deciding = decidingOf({ config });
  return deciding !== null && !deciding.some((suffix) => isBelow(host.name, suffix));
}

/** Suffixes that decide by themselves; null: no host is judged. */
function decidingOf({ config }: Pick<CrawlDeps, "config">): string[] | null {
  if (config.scope.kind !== "region" || config.region === null) return null;
  return decidingSuffixes(config.region.profile);
}

/** URLs that a turn may take: of a host on probation what is left of that. Undefined: no limit. */
export function probationLeft(deps: CrawlDeps, host: HostRow): number | undefined {
  if (!isJudged(deps, host) || standingOf(host) === "in") return undefined;
  return Math.max(1, PROBATION_PAGES - host.regionCount);
}

/** A host that failed long ago shows once more what it is; its own links are followed again. */
export async function askAgain(deps: CrawlDeps, host: HostRow): Promise<void> {
  if (host.state !== "out_of_region") return;
  const open = { state: "active", reason: null, nextTurnAt: null } as const;
  await setHostState(deps.db, { id: host.id, from: ["out_of_region"], ...open });
  await openUrls(deps, host);
}

type Judged = Pick<TurnRowEnd, "state" | "reason" | "nextTurnAt">;

/** What the pages of a turn, settled by now, make of its host; null: nothing new. */
export async function judgeHost(deps: CrawlDeps, before: HostRow): Promise<Judged | null> {
  if (!isJudged(deps, before)) return null;
  const host = await readHost(deps.db, before.id);
  if (!host) return null;
  const standing = standingOf(host);
  if (standing === "in") {
    if (standingOf(before) !== "in") await openUrls(deps, host);
    return null;
  }
  if (standing === "out") {
    const score = regionScoreOfHost(host).toFixed(2);
    return outBecause(deps, `scores ${score} after ${host.regionCount} pages`);
  }
  if (host.pageCount < FRUITLESS_MAX) {
    const fruitless = await countFruitless(deps.db, host.id, FRUITLESS_MAX);
    if (fruitless >= FRUITLESS_MAX) return outBecause(deps, `${fruitless} URLs are no document`);
  }
  await openUrls(deps, host);
  return null;
}

const outBecause = ({ clock }: CrawlDeps, reason: string): Judged => ({
  state: "out_of_region",
  reason,
  nextTurnAt: new Date(clock.now() + OUT_OF_REGION_MS),
});

/** What was shut when the host failed, if it did: all of it, or as much as its probation takes. */
async function openUrls(
  deps: Pick<CrawlDeps, "db" | "config">,
  host: Pick<HostRow, "id" | "name" | "regionSum" | "regionCount">,
): Promise<void> {
  const { db } = deps;
  if (isJudged(deps, host) && standingOf(host) !== "in") {
    await openShutUrls(db, host.id, Math.max(1, PROBATION_PAGES - host.regionCount));
    return;
  }
  while ((await openShutUrls(db, host.id, BATCH)) > 0);
}

/** Its documents leave the index, and its URLs wait for a better day. */
export async function leaveHost(
  deps: Pick<OperateDeps, "db" | "index">,
  hostId: number,
): Promise<void> {
  await inBatches(deps, () => blockHostUrls(deps.db, hostId, BATCH, OUT_OF_REGION));
}

/**
 * The chore: hosts that failed, whose worker did not live to see their documents out; those that
 * failed under settings that have changed; and, slice by slice, URLs that stayed shut though their
 * host is open: whose worker died before it could open them.
 */
export class RegionChore {
  readonly #deps: OperateDeps;
  #afterHost = 0;
  #afterUrl = 0;

  constructor(deps: OperateDeps) {
    this.#deps = deps;
  }

  /** Looks at some of them; the next step goes on behind. */
  async step(): Promise<void> {
    const { db, wake } = this.#deps;
    const failed = await outOfRegionHosts(db, this.#afterHost);
    for (const id of failed.ids) await leaveHost(this.#deps, id);
    this.#afterHost = failed.next;
    if ((await askUnjudged(db, decidingOf(this.#deps) ?? "all")) > 0) wake();
    const shut = await shutUrlsAfter(db, this.#afterUrl, SLICE);
    this.#afterUrl = shut.next ?? 0;
    for (const host of shut.hosts) await openUrls(this.#deps, host);
    if (shut.hosts.length > 0) wake();
  }
}
