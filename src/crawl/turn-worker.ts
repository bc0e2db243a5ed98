import type { Log } from "../log.ts";
import type { Backend } from "../queue/backend.ts";
import { startWorker } from "../queue/worker.ts";
import type { Crew } from "./crew.ts";
import { runTurn } from "./turn.ts";

/** Requests under way get this long to end before they are cut off and their URLs released. */
const DRAIN_MS = 3_000;
const CLOSE_MS = 5_000;

/** Takes host turns from the carrier, as many at once as the settings allow. */
export function startTurnWorker(crew: Crew, backend: Backend, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const worker = startWorker(
    backend,
    "turns",
    async ({ hostId }) => {
      const turn = runTurn(crew.turns, hostId, stopping.signal);
      running.add(turn);
      try {
        await turn;
      } finally {
        running.delete(turn);
      }
      return { kind: "done" };
    },
    {
      concurrency: crew.turns.config.work.turns,
      log,
      onError: (error) => log.debug("turns.error", { error: String(error) }),
    },
  );
  return {
    stop: async () => {
      stopping.abort();
      await worker.close(CLOSE_MS);
      // A carrier that is gone must not keep turns from giving their claims back.
      await Promise.race([Promise.allSettled(running), crew.turns.clock.sleep(DRAIN_MS)]);
    },
  };
}
