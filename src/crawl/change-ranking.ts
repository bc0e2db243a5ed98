import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { HOST_FACTORS_MAX, removeHostFactor, saveHostFactor, saveRanking } from "../db/ranking.ts";
import { type Ranking, SIGNAL_NAMES, settingOf } from "../ranking.ts";
import type { HostFactor } from "../search/host-wishes.ts";
import { type HostName, isPublicSuffix } from "../url/host.ts";
import { type ActionResult, DONE, MISSING, refused } from "./move-url.ts";
import type { RankingWatch } from "./ranking-watch.ts";

export interface ChangeRankingDeps {
  db: Db;
  clock: Clock;
  configured: Ranking;
  watch: RankingWatch;
}

/** What is as configured, or not named, is not kept: it follows the setting. */
export async function saveWeights(
  deps: ChangeRankingDeps,
  ranking: Ranking,
  actor: string,
): Promise<ActionResult> {
  const own: Ranking = {};
  for (const name of SIGNAL_NAMES) {
    const wanted = ranking[name];
    const usual = settingOf(deps.configured, name);
    const isUsual = wanted?.enabled === usual.enabled && wanted.weight === usual.weight;
    if (wanted !== undefined && !isUsual) own[name] = wanted;
  }
  await saveRanking(deps.db, own, actor, at(deps));
  return await seen(deps);
}

export async function setHostFactor(
  deps: ChangeRankingDeps,
  host: string,
  factor: HostFactor,
  actor: string,
): Promise<ActionResult> {
  if (isPublicSuffix(host as HostName)) {
    return refused(`many have sites of their own below ${host}: name those one by one`);
  }
  const isSaved = await saveHostFactor(deps.db, { host, factor }, actor, at(deps));
  if (!isSaved) {
    return refused(`${HOST_FACTORS_MAX} hosts are raised or lowered already: remove one first`);
  }
  return await seen(deps);
}

export async function dropHostFactor(
  deps: ChangeRankingDeps,
  host: string,
  actor: string,
): Promise<ActionResult> {
  if (!(await removeHostFactor(deps.db, host, actor))) return MISSING;
  return await seen(deps);
}

const at = ({ clock }: ChangeRankingDeps): Date => new Date(clock.now());

/** Whoever changed it sees it at once. It is saved, even if it cannot be read back now. */
async function seen({ watch }: ChangeRankingDeps): Promise<ActionResult> {
  await watch.refresh().catch(() => {});
  return DONE;
}
