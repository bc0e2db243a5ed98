import { causeFirst, type Log } from "../log.ts";
import type { Backend } from "../queue/backend.ts";
import { startWorker } from "../queue/worker.ts";
import type { Crew } from "./crew.ts";
import { runTurn } from "./turn.ts";

/** Turns that give back what they hold, and the carrier that hears of it, get this long. */
const CLOSE_MS = 3_800;

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
      onError: (error) => log.debug("turns.error", { error: causeFirst(error) }),
    },
  );
  return {
    stop: async () => {
      stopping.abort();
      // A carrier that is gone must not keep turns from giving their claims back.
      const over = Promise.all([worker.close(CLOSE_MS), Promise.allSettled(running)]);
      await Promise.race([over, crew.turns.clock.sleep(CLOSE_MS)]);
    },
  };
}
