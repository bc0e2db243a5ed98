import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Log } from "../log.ts";
import type { Backend } from "../queue/backend.ts";
import { type RunningWorker, startWorker } from "../queue/worker.ts";
import type { ActionResult, OperateDeps } from "./move-url.ts";
import { block, unblock } from "./operate.ts";
import { type Reconciliation, reconcile } from "./reconcile.ts";
import { type Reindexed, reindex } from "./reindex.ts";

/** Work on the index that a command hands to a running `start`, with its arguments. */
const HANDED = {
  block: Type.Object({ name: Type.String() }),
  unblock: Type.Object({ name: Type.String() }),
  reconcile: Type.Object({ repair: Type.Boolean() }),
  reindex: Type.Object({}),
} as const;

export type HandedName = keyof typeof HANDED;
export type HandedArgs<N extends HandedName> = Static<(typeof HANDED)[N]>;
export interface HandedResults {
  block: ActionResult;
  unblock: ActionResult;
  reconcile: Reconciliation;
  reindex: Reindexed;
}

const ACTOR = "cli";

/** Does the work here: in the process that has the index open, or in the command itself. */
export function perform<N extends HandedName>(
  deps: OperateDeps,
  name: N,
  args: HandedArgs<N>,
): Promise<HandedResults[N]> {
  const work: { [K in HandedName]: (args: HandedArgs<K>) => Promise<HandedResults[K]> } = {
    block: ({ name: host }) => block(deps, host, ACTOR),
    unblock: ({ name: host }) => unblock(deps, host, ACTOR),
    reconcile: ({ repair }) => reconcile(deps, { repair }),
    reindex: () => reindex(deps),
  };
  return work[name](args);
}

/** The side of a running `start`: takes what commands hand over, one after the other. */
export function startHandedWork(deps: OperateDeps, backend: Backend, log: Log): RunningWorker {
  return startWorker(
    backend,
    "commands",
    async ({ command, args }) => {
      if (!isHanded(command) || !Value.Check(HANDED[command], args)) {
        return { kind: "failed", message: `this version does not know the command ${command}` };
      }
      log.info("command.taken", { command });
      return { kind: "done", result: await perform(deps, command, args as never) };
    },
    { concurrency: 1, log },
  );
}

function isHanded(name: string): name is HandedName {
  return Object.hasOwn(HANDED, name);
}
