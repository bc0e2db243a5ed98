import { recordAudit } from "../db/audit.ts";
import { wakeHosts } from "../db/change-hosts.ts";
import {
  crawlHostUrlsNow,
  forgetHost,
  forgetHostUrls,
  forgottenHosts,
  reviveTrapped,
} from "../db/host-urls.ts";
import { FORGOTTEN, type HostState, readHost, setHostState } from "../db/hosts.ts";
import { openShutUrls } from "../db/region-hosts.ts";
import { liftTraps } from "../db/traps.ts";
import { PROBATION_PAGES } from "../frontier/region.ts";
import { type ActionResult, DONE, MISSING, type OperateDeps, refused } from "./move-url.ts";
import { inBatches } from "./operate.ts";

const BATCH = 1_000;
/** URLs that one word of an operator makes due: more than some twenty turns can take. */
const CRAWL_NOW_MAX = 10_000;
/** How long who forgets a host waits for the visit that still runs there. */
const FORGET_WAIT_MS = 5_000;
const FORGET_LOOK_MS = 200;
/** By then every process has read that traps were lifted: see policy.ts. */
const LIFT_KNOWN_MS = 3_000;

const VISITABLE: readonly HostState[] = [
  "active",
  "waiting_robots",
  "backing_off",
  "parked",
  "dead",
  "out_of_region",
];

/** Its URLs are due at once, and its turn is among the first; its gap is kept. */
export async function crawlHostNow(
  deps: OperateDeps,
  id: number,
  actor: string,
): Promise<ActionResult> {
  const { db, clock } = deps;
  const host = await readHost(db, id);
  if (!host) return MISSING;
  if (host.state === "blocked") return refused("the host is blocked: unblock it first");
  if (host.state === "paused") return refused("the host is paused: resume it first");
  for (let moved = 0; moved < CRAWL_NOW_MAX; ) {
    const batch = await crawlHostUrlsNow(db, id, Math.min(BATCH, CRAWL_NOW_MAX - moved));
    if (batch === 0) break;
    moved += batch;
  }
  const nextTurnAt = new Date(clock.now());
  const first = { state: "active", reason: null, nextTurnAt, lane: 0, forgive: true } as const;
  const moved = await setHostState(db, { id, from: VISITABLE, ...first });
  if (!moved) return refused("the host was paused or blocked just now");
  // As much as its probation takes: the ends of its turns open the rest.
  if (host.state === "out_of_region") await openShutUrls(db, id, PROBATION_PAGES);
  await recordAudit(db, { actor, action: "host.crawl_now", subject: host.name });
  deps.wake();
  return DONE;
}

/**
 * What was learned of its traps is forgotten: its patterns are open, its parameters count, and what
 * was left alone is due. If it is a trap still, it is learned anew.
 */
export async function liftHostTraps(
  deps: OperateDeps,
  id: number,
  actor: string,
): Promise<ActionResult> {
  const { db, clock } = deps;
  const host = await readHost(db, id);
  if (!host) return MISSING;
  await db.transaction(async (tx) => {
    await liftTraps(tx, id);
    await recordAudit(tx, { actor, action: "host.traps_lifted", subject: host.name });
  });
  // Who visits it now would leave alone what comes due; the next turn reads what is stored.
  if ((await readHost(db, id))?.turnToken != null) await clock.sleep(LIFT_KNOWN_MS);
  for (let last: number | null = 0; last !== null; ) {
    last = await reviveTrapped(db, id, last, BATCH);
  }
  await wakeHosts(db, [id]);
  deps.wake();
  return DONE;
}

/**
 * Removes its URLs, documents and rules; history stays until it is pruned. A visit that runs still
 * has its end; what is left by then goes with the chore of the scheduler.
 */
export async function forgetHostAll(
  deps: OperateDeps,
  id: number,
  actor: string,
): Promise<ActionResult> {
  const { db, clock } = deps;
  const host = await readHost(db, id);
  if (!host) return MISSING;
  await setHostState(db, { id, state: "paused", reason: FORGOTTEN, nextTurnAt: null });
  await recordAudit(db, { actor, action: "host.forgotten", subject: host.name });
  for (const until = clock.now() + FORGET_WAIT_MS; clock.now() < until; ) {
    if (await forgetWhatRests(deps, id)) return DONE;
    await clock.sleep(FORGET_LOOK_MS);
  }
  return { kind: "done", note: "a page of it is being visited: the rest goes when that is over" };
}

/** The chore: hosts whose last visit was not over when they were forgotten. */
export async function finishForgotten(deps: OperateDeps): Promise<void> {
  for (const id of await forgottenHosts(deps.db)) await forgetWhatRests(deps, id);
}

/** False: a visit runs still. Who resumes the host meanwhile keeps what is left of it. */
async function forgetWhatRests(deps: OperateDeps, id: number): Promise<boolean> {
  const host = await readHost(deps.db, id);
  if (host?.reason !== FORGOTTEN) return true;
  await inBatches(deps, () => forgetHostUrls(deps.db, id, BATCH));
  // Nothing is found by it any more: an index that cannot be had now may keep it.
  await deps.index.rankHosts([{ host: host.name, authority: 0, region: null }]);
  return await forgetHost(deps.db, id);
}
