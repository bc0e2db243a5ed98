import { causeFirst } from "../log.ts";
import type { Backend } from "../queue/backend.ts";
import { enqueueEnrich } from "../queue/enqueue.ts";
import { startWorker } from "../queue/worker.ts";
import { type EnrichDeps, Enrichment } from "./enrich-pages.ts";

/** Between two looks whether something waits. */
const LOOK_MS = 1_000;
/** What a job does by then is done again by the next one. */
const CLOSE_MS = 2_000;

/**
 * The role enrich: one job drains what waits, and at most one stands or runs in the whole cluster.
 * It is made anew for as long as something waits, so that a lost one loses nothing.
 */
export function startEnrichWorker(deps: EnrichDeps, backend: Backend): { stop(): Promise<void> } {
  const { clock, log } = deps;
  const enrichment = new Enrichment(deps);
  const stopping = new AbortController();
  let isDraining = false;
  const worker = startWorker(
    backend,
    "enrich",
    async (_, signal) => {
      isDraining = true;
      try {
        await enrichment.drain(AbortSignal.any([signal, stopping.signal]));
      } finally {
        isDraining = false;
      }
      return { kind: "done" };
    },
    {
      concurrency: 1,
      log,
      onError: (error) => log.debug("enrich.error", { error: causeFirst(error) }),
    },
  );
  const look = async () => {
    if (isDraining || deps.isOpen() || !(await enrichment.isDue())) return;
    const enqueued = await enqueueEnrich(backend);
    if (enqueued.kind === "refused") log.warn("enrich.refused", { detail: enqueued.detail });
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error) => log.warn("enrich.look_failed", { error: causeFirst(error) }));
      await clock.sleep(LOOK_MS, stopping.signal);
    }
  };
  const looks = loop();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([
        Promise.all([worker.close(CLOSE_MS), looks]),
        clock.sleep(CLOSE_MS + LOOK_MS),
      ]);
    },
  };
}
