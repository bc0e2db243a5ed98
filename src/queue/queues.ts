import { type Static, Type } from "@sinclair/typebox";
import type { JobsOptions } from "bullmq";

/**
 * What travels on each queue: the whole contract. Payloads are ids, never work: a job is a hint,
 * and what it names is read from the store when it runs.
 */
export const PAYLOADS = {
  /** One turn at a host; at most one such job per host stands or runs. */
  turns: Type.Object({ hostId: Type.Integer({ minimum: 1 }) }),
  /** Work that a command hands to a running `start`; its answer is awaited. */
  commands: Type.Object({
    id: Type.String({ minLength: 1 }),
    command: Type.String({ minLength: 1 }),
    args: Type.Unknown(),
  }),
  /** Documents wait for enrichment; which ones, the rows say. */
  enrich: Type.Object({}),
  /** Something that repeats came due, once in the whole cluster. */
  ticks: Type.Object({ tick: Type.String({ minLength: 1 }) }),
} as const;

export type QueueName = keyof typeof PAYLOADS;
export type Payload<N extends QueueName> = Static<(typeof PAYLOADS)[N]>;

/** Finished jobs go at once, but for commands: who waits for the answer must find it. */
export const JOB_DEFAULTS: Record<QueueName, JobsOptions> = {
  turns: { removeOnComplete: true, removeOnFail: true },
  commands: {
    removeOnComplete: { age: 600, count: 1_000 },
    removeOnFail: { age: 600, count: 1_000 },
  },
  enrich: { removeOnComplete: true, removeOnFail: true },
  ticks: { removeOnComplete: true, removeOnFail: true },
};

/**
 * A job whose worker was killed is back after lock + check. The defaults of the library left work
 * lying for a minute, and one stall was the end of a job.
 */
export const LOCK_MS = 2_000;
export const STALLED_COUNT_MAX = 50;
/** Milliseconds between looks for jobs whose lock ran out: one marks them, the next takes them. */
export const STALLED_CHECK_MS: Record<QueueName, number> = {
  turns: 500,
  commands: 1_000,
  enrich: 1_000,
  ticks: 5_000,
};

/** Deduplication ends with the job: the next turn of this host is a new job. */
export function turnId(hostId: number): string {
  return `host-${hostId}`;
}
