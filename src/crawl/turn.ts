import { createActor, toPromise } from "xstate";
import { type HostEvent, hostMachine, type TurnEnd } from "../actors/host.ts";
import type { HostRow } from "../db/hosts.ts";
import { isOutage } from "../db/store-errors.ts";
import { abandonTurn, type TurnEnd as TurnRowEnd } from "../db/turns.ts";
import { hostAfter } from "../frontier/host-end.ts";
import type { CrawlDeps } from "./deps.ts";
import { HostVisits } from "./host-visits.ts";
import { askAgain, judgeHost, leaveHost, probationLeft } from "./region-turn.ts";
import { TurnUrls } from "./turn-urls.ts";
import { untilWritten } from "./until-written.ts";

/** How long the pages behind the last request may take to be settled. */
const CLOSE_WAIT_MS = 20_000;
/** When the program ends, requests under way may land: cut off, the site would go on answering. */
const STOP_LAND_MS = 2_000;
/** An index or a store that is slow by then must not cost the claims. */
const STOP_SETTLE_MS = 3_000;
/**
 * A turn has 20 s for its URLs, and each of its waits a bound: one that lasts this long is a bug.
 */
const STUCK_MS = 120_000;

/**
 * One bounded stay at one host by this worker, under a lease that only one worker in the cluster
 * can hold. Answers how it ended, or null when there was no turn to be had.
 */
export async function runTurn(
  deps: CrawlDeps,
  hostId: number,
  signal: AbortSignal,
): Promise<TurnEnd | null> {
  const workerId = deps.heartbeat.id;
  if (signal.aborted || deps.breaker.open || !deps.heartbeat.isFresh(workerId)) return null;
  const token = crypto.randomUUID();
  const host = await take(deps, { hostId, workerId, token });
  if (!host) return null;
  const lost = new AbortController();
  const forget = deps.heartbeat.onLost((id) => id === workerId && lost.abort());
  const urls = new TurnUrls(deps, host, token, probationLeft(deps, host));
  const visits = new HostVisits(deps, host, urls, {
    workerId,
    stop: signal,
    lost: lost.signal,
  });
  try {
    await askAgain(deps, host);
    const end = await liveTurn(deps, visits, signal, lost.signal);
    await closeTurn(deps, { visits, urls, workerId, stop: signal }, end);
    return end;
  } finally {
    forget();
  }
}

/** Null: no turn to be had, or the store went away, and perhaps the answer to what it wrote. */
async function take(
  deps: CrawlDeps,
  asked: { hostId: number; workerId: string; token: string },
): Promise<HostRow | null> {
  try {
    return await deps.turnTakes.add(asked);
  } catch (error) {
    if (!isOutage(error)) throw error;
    const { hostId, workerId, token } = asked;
    await untilWritten(deps, workerId, () => abandonTurn(deps.db, hostId, token));
    return null;
  }
}

/**
 * As many host actors as requests may be in flight at the host: one, but for hosts of one's own.
 */
async function liveTurn(
  deps: CrawlDeps,
  visits: HostVisits,
  stop: AbortSignal,
  lost: AbortSignal,
): Promise<TurnEnd> {
  const over = new AbortController();
  const machine = hostMachine.provide({
    actions: {
      resolve: ({ self }) => void tell(self, "resolved", visits.resolve()),
      choose: ({ self }) => void tell(self, "chosen", visits.choose(over.signal)),
      fetch: ({ self, context }) => void tell(self, "fetched", visits.fetch(context.target!)),
      prepare: () => visits.prepare(),
    },
  });
  const lanes = Array.from({ length: deps.config.politeness.hostConcurrency }, () =>
    createActor(machine),
  );
  const halt = (end: TurnEnd) => {
    over.abort();
    for (const lane of lanes) lane.send({ type: "halt", end });
  };
  const stuck = setTimeout(() => halt({ kind: "crashed", why: "stuck" }), STUCK_MS);
  const onStop = () => halt({ kind: "stopped" });
  const onLost = () => halt({ kind: "lease lost" });
  const unlisten = deps.breaker.onOpen((part) => halt({ kind: "part down", part }));
  stop.addEventListener("abort", onStop, { once: true });
  lost.addEventListener("abort", onLost, { once: true });
  try {
    const ends = await Promise.all(
      lanes.map(async (lane) => {
        const over = toPromise(lane);
        lane.start();
        const end = await over;
        if (end.kind !== "exhausted") halt(end);
        return end;
      }),
    );
    return ends.find((end) => end.kind !== "exhausted") ?? { kind: "exhausted" };
  } finally {
    clearTimeout(stuck);
    unlisten();
    stop.removeEventListener("abort", onStop);
    lost.removeEventListener("abort", onLost);
  }
}

type Answer = Extract<HostEvent, { step: unknown }>;

/** To an actor that is over by then it says nothing. */
async function tell<Type extends Answer["type"]>(
  lane: { send(event: HostEvent): void },
  type: Type,
  step: Promise<Extract<Answer, { type: Type }>["step"]>,
): Promise<void> {
  try {
    lane.send({ type, step: await step } as HostEvent);
  } catch (error) {
    lane.send({ type: "crashed", error });
  }
}

interface ClosingTurn {
  visits: HostVisits;
  urls: TurnUrls;
  workerId: string;
  /** The program ends. */
  stop: AbortSignal;
}

async function closeTurn(
  deps: CrawlDeps,
  { visits, urls, workerId, stop }: ClosingTurn,
  end: TurnEnd,
): Promise<void> {
  if (end.kind === "crashed") {
    deps.log.error("turn.crashed", { host: visits.host.name, why: end.why });
  }
  await drain(deps, visits, stop);
  if (end.kind === "lease lost") return await mendIndex(deps, urls, stop);
  const after = hostAfter(visits.said ?? end, {
    answered: visits.answered,
    failures: visits.host.failures,
    nextFetchAt: visits.gap.nextFetchAt,
    delayMs: visits.gap.ms,
    now: deps.clock.now(),
    random: deps.random(),
    retryBaseMs: deps.config.work.retryBaseMs,
    deadAfter: deps.config.politeness.hostDeadAfter,
  });
  const row: TurnRowEnd = {
    hostId: visits.host.id,
    token: urls.token,
    state: after.state,
    reason: after.reason,
    nextTurnAt: after.nextTurnAt,
    nextFetchAt: new Date(visits.gap.nextFetchAt),
    failures: after.failures,
    throttles: visits.said?.kind === "throttled" ? 1 : 0,
    robotsDelayMs: visits.gap.robotsDelayMs,
    slowDelayMs: visits.gap.slowDelayMs,
    ...(keepsLane(end) && visits.host.lane === 0 && { lane: 0 as const }),
  };
  const isEnded = await untilWritten(deps, workerId, async () => {
    await urls.giveBack(after.putBehindUntil);
    const judged = await judgeHost(deps, visits.host);
    await deps.turnEnds.add({ ...row, ...judged });
    if (judged?.state === "out_of_region") await leaveHost(deps, visits.host.id);
    return true;
  });
  if (isEnded === null) await mendIndex(deps, urls, stop);
  deps.wake();
}

/** What was claimed is others' now, but they do not know what we put in the index meanwhile. */
async function mendIndex(deps: CrawlDeps, urls: TurnUrls, stop: AbortSignal): Promise<void> {
  for (let isWritten = false; !isWritten && !stop.aborted; ) {
    const worker = deps.heartbeat.id;
    isWritten =
      (await untilWritten(deps, worker, () => urls.mendIndex().then(() => true))) ?? false;
  }
}

async function drain({ clock }: CrawlDeps, visits: HostVisits, stop: AbortSignal): Promise<void> {
  const over = new AbortController();
  const wait = async (stopMs: number) => {
    await clock.sleep(CLOSE_WAIT_MS, AbortSignal.any([over.signal, stop]));
    if (stop.aborted) await clock.sleep(stopMs, over.signal);
  };
  await visits.drain({ landBy: wait(STOP_LAND_MS), settleBy: wait(STOP_SETTLE_MS) });
  over.abort();
}

/** A turn of the first lane that could not do its work must not fall back behind all others. */
function keepsLane(end: TurnEnd): boolean {
  return ["long gap", "no slot", "part down", "budget"].includes(end.kind);
}
