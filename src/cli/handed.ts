import {
  type HandedArgs,
  type HandedName,
  type HandedResults,
  perform,
} from "../crawl/hand-over.ts";
import { freshWorkers } from "../db/workers.ts";
import { runCommand } from "../queue/commands.ts";
import type { Call } from "./command.ts";
import { Interrupted } from "./interrupt.ts";
import { openCarrier, operateDeps, type Parts } from "./parts.ts";

const PICKUP_MS = 3_000;
const WATCH_MS = 2_000;
const TIMEOUT_MS = 6 * 3_600_000;

export type Handed<N extends HandedName> =
  | { kind: "done"; result: HandedResults[N] }
  | { kind: "failed"; message: string };

/** Hands work on the index to a running `start`, or does it here when there is none. */
export async function handOver<N extends HandedName>(
  call: Call,
  parts: Parts,
  name: N,
  args: HandedArgs<N>,
): Promise<Handed<N>> {
  const others = await freshWorkers(parts.database.db);
  if (others.length > 0) {
    const backend = await openCarrier(call, parts);
    const orphaned = new AbortController();
    const signal = AbortSignal.any([call.signal, orphaned.signal]);
    const limits = { pickupMs: PICKUP_MS, timeoutMs: TIMEOUT_MS, signal };
    const watching = watchOthers(parts, orphaned);
    const answer = await runCommand(backend, name, args, limits).finally(() =>
      clearInterval(watching),
    );
    if (answer.kind === "done") return { kind: "done", result: answer.result as HandedResults[N] };
    if (answer.kind === "failed") return answer;
    if (call.signal.aborted) throw new Interrupted(answer.kind === "nobody" ? TAKEN_BACK : IN_HAND);
    if (answer.kind === "timeout" && orphaned.signal.aborted) return ORPHANED;
    if (answer.kind === "timeout")
      return { kind: "failed", message: "it has not answered in time" };
  }
  return { kind: "done", result: await perform(operateDeps(call, parts), name, args) };
}

const TAKEN_BACK = "interrupted: nothing was done";
const IN_HAND = "interrupted: the running start may go on with it";

const ORPHANED = {
  kind: "failed",
  message: "the start that had it in hand has ended: run the command again",
} as const;

/** A start that is killed never answers: nobody waits hours for it. */
function watchOthers({ database }: Parts, orphaned: AbortController) {
  return setInterval(() => {
    freshWorkers(database.db).then(
      (others) => others.length === 0 && orphaned.abort(),
      // A store that is away says nothing about them.
      () => {},
    );
  }, WATCH_MS);
}
