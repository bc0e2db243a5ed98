import { stepUrl } from "../actors/step.ts";
import type { StepEnv, UrlEffect, UrlEvent } from "../actors/url-event.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { applyUrls, deleteUrls, readUrls } from "../db/operate-urls.ts";
import type { SearchIndex } from "../search/port.ts";
import { mendNow } from "./mend-index.ts";

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
  /** `note`: what else there is to know of it. */
  { kind: "done"; note?: string } | { kind: "missing" } | { kind: "refused"; reason: string };

export const DONE: ActionResult = { kind: "done" };
export const MISSING: ActionResult = { kind: "missing" };
export const refused = (reason: string): ActionResult => ({ kind: "refused", reason });

/** A visit may settle between our reading and our writing: then read again. */
const TRIES = 5;
const BUSY = refused("it is being visited right now; try again");

/** One event in the life of a URL that nobody's visit brought about. */
export async function moveUrl(
  deps: OperateDeps,
  id: number,
  event: UrlEvent,
): Promise<ActionResult> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const [row] = await readUrls(deps.db, [id]);
    if (!row) return MISSING;
    const step = stepUrl(row, event, stepEnv(deps));
    if (step.kind === "ignored") return whyNot(row.state);
    if (step.state === "removed") return await drop(deps, id);
    const lane = step.effects.find((effect) => effect.type === "wake host")?.lane;
    const does = (type: UrlEffect["type"]) => step.effects.some((effect) => effect.type === type);
    const move = {
      before: row,
      state: step.state,
      columns: step.columns,
      removesDocument: does("remove document"),
      wakesDependants: does("wake dependants"),
    };
    const moved = await applyUrls(deps.db, [lane === undefined ? move : { ...move, lane }]);
    if (!moved.has(id)) continue;
    if (move.removesDocument) await mendNow(deps, [id]);
    if (lane !== undefined) deps.wake();
    return DONE;
  }
  return BUSY;
}

/** Why nothing came of an action, for people. */
function whyNot(state: string): ActionResult {
  switch (state) {
    case "in_progress":
      return BUSY;
    case "blocked":
      return refused("its host is blocked: unblock the host first");
    case "pending":
      return refused("it waits for its visit already; crawl now makes it due");
    default:
      return refused("nothing is left to be done with it");
  }
}

async function drop(deps: OperateDeps, id: number): Promise<ActionResult> {
  const removed = await deleteUrls(deps.db, [id]);
  if (removed.ids.length === 0) return BUSY;
  await mendNow(deps, removed.documents);
  deps.wake();
  return DONE;
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
