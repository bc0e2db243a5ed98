import { stepUrl } from "../actors/step.ts";
import type { StepEnv, UrlEffect, UrlEvent } from "../actors/url-event.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { wakeHosts } from "../db/change-hosts.ts";
import type { Db } from "../db/connect.ts";
import { wakeDependants } from "../db/content.ts";
import { applyUrls, deleteDocuments, deleteUrls, readUrls } from "../db/operate-urls.ts";
import type { SearchIndex } from "../search/port.ts";

/** What every action of an operator needs. */
export interface OperateDeps {
  db: Db;
  index: SearchIndex;
  config: Config;
  clock: Clock;
  random: () => number;
  /** Something became due. */
  wake: () => void;
}

export type ActionResult =
  | { kind: "done" }
  | { kind: "missing" }
  | { kind: "refused"; reason: string };

/** A visit may settle between our reading and our writing: then read again. */
const TRIES = 5;
const BUSY: ActionResult = {
  kind: "refused",
  reason: "it is being visited right now; try again",
};

/** One event in the life of a URL that nobody's visit brought about. */
export async function moveUrl(
  deps: OperateDeps,
  id: number,
  event: UrlEvent,
): Promise<ActionResult> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const [row] = await readUrls(deps.db, [id]);
    if (!row) return { kind: "missing" };
    const step = stepUrl(row, event, stepEnv(deps));
    if (step.kind === "ignored") {
      return { kind: "refused", reason: `a URL that is ${row.state} cannot be: ${event.type}` };
    }
    const removes = step.effects.some((effect) => effect.type === "remove document");
    if (step.state === "removed") return await drop(deps, id);
    const lane = step.effects.find((effect) => effect.type === "wake host")?.lane;
    const move = { before: row, state: step.state, columns: step.columns };
    const moved = await applyUrls(deps.db, [lane === undefined ? move : { ...move, lane }]);
    if (!moved.has(id)) continue;
    if (removes) await removeDocument(deps, id, step.effects);
    if (lane !== undefined) deps.wake();
    return { kind: "done" };
  }
  return BUSY;
}

async function drop(deps: OperateDeps, id: number): Promise<ActionResult> {
  const removed = await deleteUrls(deps.db, [id]);
  if (removed.ids.length === 0) return BUSY;
  await deps.index.remove([id]);
  deps.wake();
  return { kind: "done" };
}

async function removeDocument(
  deps: OperateDeps,
  id: number,
  effects: readonly UrlEffect[],
): Promise<void> {
  await deleteDocuments(deps.db, [id]);
  await deps.index.remove([id]);
  if (effects.some((effect) => effect.type === "wake dependants")) {
    await wakeHosts(deps.db, await wakeDependants(deps.db, [id]));
  }
}

export function stepEnv(deps: Pick<OperateDeps, "clock" | "config" | "random">): StepEnv {
  const { work, recrawl } = deps.config;
  return {
    now: deps.clock.now(),
    random: deps.random(),
    config: {
      retryBaseMs: work.retryBaseMs,
      recrawlMinMs: recrawl.minMs,
      recrawlMaxMs: recrawl.maxMs,
    },
  };
}
