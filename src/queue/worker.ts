import { Value } from "@sinclair/typebox/value";
import { DelayedError, type Job, UnrecoverableError, WaitingError } from "bullmq";
import { type Clock, systemClock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Backend } from "./backend.ts";
import { within } from "./health.ts";
import {
  LOCK_MS,
  PAYLOADS,
  type Payload,
  type QueueName,
  STALLED_CHECK_MS,
  STALLED_COUNT_MAX,
} from "./queues.ts";

/** What becomes of a job. A throw is a bug of the handler: reported, and the job fails. */
export type Fate =
  | { readonly kind: "done"; readonly result?: unknown }
  /** Again at `at` (ms since the epoch), as if it had not run. */
  | { readonly kind: "snooze"; readonly at: number }
  | { readonly kind: "failed"; readonly message: string };

/**
 * May run twice for one job, when its worker was killed or frozen: what it does must bear that.
 * `signal` aborts when the worker drains.
 */
export type Handler<N extends QueueName> = (
  payload: Payload<N>,
  signal: AbortSignal,
) => Promise<Fate>;

export interface WorkerSettings {
  /** Jobs at once in this process. */
  readonly concurrency: number;
  readonly log: Log;
  /** Told of every error of carrier or handler; must not throw. */
  readonly onError?: (error: Error) => void;
  readonly clock?: Clock;
}

export interface RunningWorker {
  /** Takes no new job, aborts the signals, waits for the handlers up to `deadlineMs`. */
  close(deadlineMs: number): Promise<"drained" | "cut off">;
}

const RETRY_MS = 500;
const REPORT_EVERY_MS = 5_000;

export function startWorker<N extends QueueName>(
  backend: Backend,
  name: N,
  handler: Handler<N>,
  settings: WorkerSettings,
): RunningWorker {
  const clock = settings.clock ?? systemClock;
  const report = createReport(name, settings, clock);
  let isClosing = false;
  const worker = backend.worker(
    name,
    async (job, token, signal) => {
      if (isClosing) await giveBack(job, token ?? "");
      return await runJob(name, handler, job, token ?? "", signal, report);
    },
    {
      concurrency: settings.concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS[name],
      maxStalledCount: STALLED_COUNT_MAX,
      runRetryDelay: RETRY_MS,
    },
  );
  worker.on("error", report);
  return {
    close: async (deadlineMs) => {
      isClosing = true;
      worker.cancelAllJobs("drain");
      const closed = await within(worker.close(), deadlineMs);
      return closed.kind === "value" ? "drained" : "cut off";
    },
  };
}

/** A worker that was waiting for a job when it was closed still takes that one. */
async function giveBack(job: Job, token: string): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}

async function runJob<N extends QueueName>(
  name: N,
  handler: Handler<N>,
  job: Job,
  token: string,
  signal: AbortSignal | undefined,
  report: (error: Error) => void,
): Promise<unknown> {
  if (!Value.Check(PAYLOADS[name], job.data)) {
    report(new Error(`job ${job.id} of ${name} carries no payload of this queue`));
    throw new UnrecoverableError("not a payload of this queue");
  }
  const fate = await handler(job.data as Payload<N>, signal ?? new AbortController().signal).catch(
    (error: Error) => {
      report(error);
      throw new UnrecoverableError(error.message);
    },
  );
  switch (fate.kind) {
    case "done":
      return fate.result ?? null;
    case "snooze":
      await job.moveToDelayed(fate.at, token);
      throw new DelayedError();
    case "failed":
      throw new UnrecoverableError(fate.message);
    default:
      return fate satisfies never;
  }
}

/** A carrier that is down fails every request of every worker: one line for all of a while. */
function createReport(name: QueueName, settings: WorkerSettings, clock: Clock) {
  let nextAt = 0;
  let unsaid = 0;
  return (error: Error) => {
    settings.onError?.(error);
    unsaid++;
    if (clock.now() < nextAt) return;
    settings.log.warn("worker.error", { queue: name, error, times: unsaid });
    nextAt = clock.now() + REPORT_EVERY_MS;
    unsaid = 0;
  };
}
