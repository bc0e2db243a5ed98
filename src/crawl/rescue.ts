import { stepUrl } from "../actors/step.ts";
import { freeDeadAddresses } from "../db/addresses.ts";
import type { ClaimedUrl } from "../db/claim-urls.ts";
import { rescueTurns } from "../db/rescue-turns.ts";
import type { SettleRow } from "../db/settle-urls.ts";
import { judgeSuspects, type LostWorker, type Verdict } from "../db/suspects.ts";
import { buryWorker, livingWorkers } from "../db/workers.ts";
import type { Log } from "../log.ts";
import { LEASE_TTL_MS } from "../visit/heartbeat.ts";
import { type OperateDeps, stepEnv } from "./move-url.ts";
import { type Fate, fateOf } from "./process-life.ts";

/** No turn lasts this long by itself: its worker has forgotten it. */
const TURN_MAX_MS = 300_000;

/**
 * What a lost worker was fetching waits so long for a sign of what became of it: a store that was
 * away has every living worker back within a beat that hangs and the next one.
 */
const GRACE_MS = 15_000;

/**
 * Frees what dead workers held. A worker is dead without a life sign for a while; one of this very
 * machine whose process is gone is dead at once. Its hosts go on at once; whether it died on what
 * it was fetching is another question. Gives the hosts that wait for a new turn.
 */
export async function rescue(deps: OperateDeps & { log: Log }): Promise<number[]> {
  for (const worker of await livingWorkers(deps.db)) {
    if (fateOf(worker) === "gone") await buryWorker(deps.db, worker.id);
  }
  const freed = await rescueTurns(deps.db, {
    ttlMs: LEASE_TTL_MS,
    crawlDelayMs: deps.config.politeness.crawlDelayMs,
    turnMaxMs: TURN_MAX_MS,
  });
  if (freed.length > 0) {
    await freeDeadAddresses(deps.db, deps.config.politeness.ipDelayMs);
    deps.log.info("turns.rescued", { hosts: freed.length });
  }
  return [...freed, ...(await judge(deps))];
}

/** Gives the hosts whose URLs came back. */
async function judge(deps: OperateDeps & { log: Log }): Promise<number[]> {
  const { crashed, released } = await judgeSuspects(
    deps.db,
    (worker) => verdictOf(worker, fateOf(worker)),
    (url) => crash(deps, url),
  );
  const hostIds = [...crashed, ...released].map((row) => row.hostId);
  if (hostIds.length > 0) {
    deps.log.info("suspects.judged", { crashed: crashed.length, released: released.length });
  }
  return hostIds;
}

/**
 * Only a process that is gone has died on a page: one that was frozen, or could not reach the
 * store, accuses nobody. Where it cannot be seen it is taken for gone when it does not come back.
 */
export function verdictOf(worker: Pick<LostWorker, "isBack" | "lostMs">, fate: Fate): Verdict {
  if (worker.isBack) return "lives";
  if (fate === "gone") return "died";
  if (worker.lostMs < GRACE_MS) return "unsure";
  return fate === "alive" ? "lives" : "died";
}

function crash(deps: OperateDeps, url: ClaimedUrl): SettleRow {
  const step = stepUrl(url, { type: "worker died", fetching: true }, stepEnv(deps));
  if (step.kind === "ignored" || step.state === "removed") {
    throw new Error("a claimed URL cannot hear that its worker died");
  }
  const { leaseToken } = url;
  return { ...url, ...step.columns, state: step.state, id: url.id, leaseToken };
}
