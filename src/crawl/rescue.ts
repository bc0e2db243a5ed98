import { hostname } from "node:os";
import { stepUrl } from "../actors/step.ts";
import { freeDeadAddresses } from "../db/addresses.ts";
import type { ClaimedUrl } from "../db/claim-urls.ts";
import { isAlive } from "../db/embedded-pid.ts";
import { rescueTurns } from "../db/rescue-turns.ts";
import type { SettleRow } from "../db/settle-urls.ts";
import { buryWorker, livingWorkers, type WorkerRow } from "../db/workers.ts";
import type { Log } from "../log.ts";
import { LEASE_TTL_MS } from "../visit/heartbeat.ts";
import { type OperateDeps, stepEnv } from "./move-url.ts";

/** No turn lasts this long by itself: its worker has forgotten it. */
const TURN_MAX_MS = 300_000;

/** Tells this process from an earlier one of the same number: in a container all have number 1. */
export const THIS_LIFE: string = crypto.randomUUID();

/**
 * Frees what dead workers held. A worker is dead without a life sign for a while; one of this very
 * machine whose process is gone is dead at once. Gives the hosts that wait for a new turn.
 */
export async function rescue(deps: OperateDeps & { log: Log }): Promise<number[]> {
  const here = hostname();
  for (const worker of await livingWorkers(deps.db)) {
    if (worker.hostname === here && isGone(worker)) await buryWorker(deps.db, worker.id);
  }
  const orphans: number[] = [];
  const { hostIds, crashed } = await rescueTurns(
    deps.db,
    {
      ttlMs: LEASE_TTL_MS,
      crawlDelayMs: deps.config.politeness.crawlDelayMs,
      turnMaxMs: TURN_MAX_MS,
    },
    (url) => crash(deps, url, orphans),
  );
  // Index first, settle second: a document may be there that its row knows nothing of.
  if (orphans.length > 0) await deps.index.remove(orphans);
  if (hostIds.length > 0) {
    await freeDeadAddresses(deps.db, deps.config.politeness.ipDelayMs);
    deps.log.info("turns.rescued", { hosts: hostIds.length, crashed: crashed.length });
  }
  return hostIds;
}

function crash(deps: OperateDeps, url: ClaimedUrl, orphans: number[]): SettleRow {
  const step = stepUrl(url, { type: "worker died", fetching: true }, stepEnv(deps));
  if (step.kind === "ignored" || step.state === "removed") {
    throw new Error("a claimed URL cannot hear that its worker died");
  }
  if (step.effects.some((effect) => effect.type === "remove document")) orphans.push(url.id);
  const { leaseToken } = url;
  return { ...url, ...step.columns, state: step.state, id: url.id, leaseToken };
}

function isGone({ pid, report }: WorkerRow): boolean {
  if (pid !== process.pid) return !isAlive(pid);
  return (report as { life?: string } | null)?.life !== THIS_LIFE;
}
