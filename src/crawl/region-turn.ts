import { blockHostUrls, unblockHostUrls } from "../db/host-urls.ts";
import { type HostRow, readHost } from "../db/hosts.ts";
import { outOfRegionHosts } from "../db/region-hosts.ts";
import type { TurnEnd as TurnRowEnd } from "../db/turns.ts";
import {
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

/** Its pages decide whether it is crawled: the scope is the region, and its name says nothing. */
function isJudged({ config }: Pick<CrawlDeps, "config">, host: HostRow): boolean {
  if (config.scope.kind !== "region" || config.region === null) return false;
  return !decidingSuffixes(config.region.profile).some((suffix) => isBelow(host.name, suffix));
}

/** URLs that a turn may take: of a host on probation what is left of that. Undefined: no limit. */
export function probationLeft(deps: CrawlDeps, host: HostRow): number | undefined {
  if (!isJudged(deps, host) || standingOf(host) === "in") return undefined;
  return Math.max(1, PROBATION_PAGES - host.regionCount);
}

/** A host that failed long ago shows once more what it is. */
export async function askAgain(deps: CrawlDeps, host: HostRow): Promise<void> {
  if (host.state !== "out_of_region") return;
  await unblockHostUrls(deps.db, host.id, PROBATION_PAGES);
}

type Judged = Pick<TurnRowEnd, "state" | "reason" | "nextTurnAt">;

/** What the pages of a turn, settled by now, make of its host; null: nothing new. */
export async function judgeHost(deps: CrawlDeps, before: HostRow): Promise<Judged | null> {
  if (!isJudged(deps, before)) return null;
  const host = await readHost(deps.db, before.id);
  if (!host) return null;
  const standing = standingOf(host);
  if (standing === "in" && standingOf(before) !== "in") await openUrls(deps, host.id);
  if (standing !== "out") return null;
  const score = regionScoreOfHost(host).toFixed(2);
  return {
    state: "out_of_region",
    reason: `scores ${score} after ${host.regionCount} pages`,
    nextTurnAt: new Date(deps.clock.now() + OUT_OF_REGION_MS),
  };
}

/** What was shut when the host failed, if it did. */
async function openUrls({ db }: CrawlDeps, hostId: number): Promise<void> {
  while ((await unblockHostUrls(db, hostId, BATCH)).moved > 0);
}

/** Its documents leave the index, and its URLs wait for a better day. */
export async function leaveHost(
  deps: Pick<OperateDeps, "db" | "index">,
  hostId: number,
): Promise<void> {
  await inBatches(deps, () => blockHostUrls(deps.db, hostId, BATCH, "out of region"));
}

/** The chore: hosts that failed, whose worker did not live to see their documents out. */
export class LeftHosts {
  readonly #deps: OperateDeps;
  #after = 0;

  constructor(deps: OperateDeps) {
    this.#deps = deps;
  }

  /** Looks at some of them; the next step goes on behind. */
  async step(): Promise<void> {
    const { ids, next } = await outOfRegionHosts(this.#deps.db, this.#after);
    for (const id of ids) await leaveHost(this.#deps, id);
    this.#after = next;
  }
}
