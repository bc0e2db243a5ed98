import type { Job, Queue } from "bullmq";
import { type Clock, systemClock } from "../clock.ts";
import type { Backend } from "./backend.ts";
import { within } from "./health.ts";
import type { Payload } from "./queues.ts";

/** What a running `start` made of a command. */
export type CommandAnswer =
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "failed"; readonly message: string }
  /** Nobody took it within `pickupMs`; it was taken back. */
  | { readonly kind: "nobody" }
  /** It runs still, or the carrier stopped answering: it may yet be done. */
  | { readonly kind: "timeout" };

export interface CommandOptions {
  /** Milliseconds until somebody must have taken it. */
  readonly pickupMs: number;
  /** Milliseconds until the answer must be there. */
  readonly timeoutMs: number;
  readonly clock?: Clock;
  /** Aborting stops the waiting, and takes the command back if nobody has it yet. */
  readonly signal?: AbortSignal;
}

const POLL_MS = 100;

/** Hands `command` to whichever process has a worker on the queue, and waits for its answer. */
export async function runCommand(
  backend: Backend,
  command: string,
  args: unknown,
  options: CommandOptions,
): Promise<CommandAnswer> {
  const payload: Payload<"commands"> = { id: crypto.randomUUID(), command, args };
  const clock = options.clock ?? systemClock;
  const queue = backend.queue("commands");
  try {
    const added = await within(queue.add(command, payload), options.pickupMs);
    if (added.kind === "timeout" || added.value.id === undefined) return { kind: "timeout" };
    return await awaitAnswer(queue, added.value.id, options, clock);
  } catch (error) {
    return { kind: "failed", message: `the carrier refused it: ${(error as Error).message}` };
  }
}

async function awaitAnswer(
  queue: Queue,
  id: string,
  options: CommandOptions,
  clock: Clock,
): Promise<CommandAnswer> {
  const startedAt = clock.now();
  for (;;) {
    const read = await within(queue.getJob(id), options.pickupMs);
    if (read.kind === "timeout") return { kind: "timeout" };
    const job = read.value;
    if (job === undefined) return { kind: "timeout" };
    if (job.finishedOn !== undefined) return answerOf(job);
    const waitedMs = clock.now() - startedAt;
    const isUnwanted = waitedMs > options.pickupMs || options.signal?.aborted === true;
    if (job.processedOn === undefined && isUnwanted && (await takeBack(job))) {
      return { kind: "nobody" };
    }
    if (waitedMs > options.timeoutMs || options.signal?.aborted === true)
      return { kind: "timeout" };
    await clock.sleep(POLL_MS, options.signal);
  }
}

function answerOf(job: Job): CommandAnswer {
  return job.failedReason === undefined || job.failedReason === ""
    ? { kind: "done", result: job.returnvalue }
    : { kind: "failed", message: job.failedReason };
}

/** False when a worker was quicker: a job in hand cannot be removed. */
async function takeBack(job: Job): Promise<boolean> {
  try {
    await job.remove();
    return true;
  } catch {
    return false;
  }
}
