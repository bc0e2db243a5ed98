import type { Breaker } from "../crawl/breaker.ts";
import { Crew } from "../crawl/crew.ts";
import { startEnrichWorker } from "../crawl/enrich-worker.ts";
import { Schedule } from "../crawl/schedule.ts";
import { startTurnWorker } from "../crawl/turn-worker.ts";
import { Model } from "../enrich/model.ts";
import type { Backend } from "../queue/backend.ts";
import type { Call } from "./command.ts";
import { operateDeps, type Parts } from "./parts.ts";

/** The role crawl: workers that take host turns. */
export async function startCrew(
  call: Call,
  parts: Parts,
  { backend, breaker, roles }: { backend: Backend; breaker: Breaker; roles: readonly string[] },
): Promise<Crew> {
  const crew = new Crew({ ...operateDeps(call, parts), log: call.log, breaker, roles });
  await crew.start();
  parts.lifecycle.add("crew", () => crew.stop());
  const worker = startTurnWorker(crew, backend, call.log);
  parts.lifecycle.add("turns", () => worker.stop());
  return crew;
}

/** The role enrich. */
export function startEnrich(
  call: Call,
  parts: Parts,
  { backend, breaker }: { backend: Backend; breaker: Breaker },
): void {
  const { ollama, robotsToken } = call.config;
  const worker = startEnrichWorker(
    {
      ...operateDeps(call, parts),
      log: call.log,
      model: ollama === null ? null : new Model(ollama),
      robotsToken,
      isOpen: () => breaker.open !== null,
    },
    backend,
  );
  parts.lifecycle.add("enrich", () => worker.stop());
}

/** The role schedule. */
export async function startSchedule(
  call: Call,
  parts: Parts,
  { backend, breaker }: { backend: Backend; breaker: Breaker },
): Promise<void> {
  const schedule = new Schedule({
    ...operateDeps(call, parts),
    log: call.log,
    backend,
    waker: parts.waker,
    isOpen: () => breaker.open !== null,
  });
  await schedule.start();
  parts.lifecycle.add("schedule", () => schedule.stop());
}
