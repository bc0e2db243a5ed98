import type { JobsOptions } from "bullmq";
import type { Backend } from "./backend.ts";
import { within } from "./health.ts";
import { JOB_DEFAULTS, type Payload, type QueueName, turnId } from "./queues.ts";

export type Enqueued =
  | { readonly kind: "enqueued" }
  /** The carrier did not take it (away, full, or too slow to say). */
  | { readonly kind: "refused"; readonly detail: string };

const ENQUEUE_TIMEOUT_MS = 5_000;

/** A host that wants a turn; lane 0 goes before what already stands there. */
export interface TurnWanted {
  readonly hostId: number;
  readonly lane: number;
}

/** Hosts that stand or run already are left out by the carrier. */
export function enqueueTurns(backend: Backend, hosts: readonly TurnWanted[]): Promise<Enqueued> {
  if (hosts.length === 0) return Promise.resolve({ kind: "enqueued" });
  const jobs = hosts.map(({ hostId, lane }) => ({
    name: "turn",
    data: { hostId } satisfies Payload<"turns">,
    opts: {
      ...JOB_DEFAULTS.turns,
      deduplication: { id: turnId(hostId) },
      ...(lane === 0 ? { lifo: true } : {}),
    } satisfies JobsOptions,
  }));
  return attempt(() => backend.queue("turns").addBulk(jobs));
}

export function enqueueEnrich(backend: Backend): Promise<Enqueued> {
  const opts = { ...JOB_DEFAULTS.enrich, deduplication: { id: "enrich-all" } };
  return attempt(() => backend.queue("enrich").add("enrich", {}, opts));
}

/** Repeats `tick` every `everyMs` in the whole cluster; asked again, it changes the pace. */
export function repeatTick(backend: Backend, tick: string, everyMs: number): Promise<Enqueued> {
  const template = {
    name: tick,
    data: { tick } satisfies Payload<"ticks">,
    opts: JOB_DEFAULTS.ticks,
  };
  return attempt(() =>
    backend.queue("ticks").upsertJobScheduler(tick, { every: everyMs }, template),
  );
}

/** Jobs that stand and have no worker yet; null: the carrier does not say. */
export async function countWaiting(backend: Backend, name: QueueName): Promise<number | null> {
  try {
    const count = await within(backend.queue(name).getWaitingCount(), ENQUEUE_TIMEOUT_MS);
    return count.kind === "value" ? count.value : null;
  } catch {
    return null;
  }
}

async function attempt(add: () => Promise<unknown>): Promise<Enqueued> {
  try {
    const added = await within(add(), ENQUEUE_TIMEOUT_MS);
    if (added.kind === "value") return { kind: "enqueued" };
    return { kind: "refused", detail: `no answer in ${ENQUEUE_TIMEOUT_MS} ms` };
  } catch (error) {
    return { kind: "refused", detail: (error as Error).message };
  }
}
