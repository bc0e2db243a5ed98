import type { Config } from "../config.ts";
import { IDLE_PER_TURN } from "../fetch/options.ts";
import { openFilesMax } from "../open-files.ts";
import type { Call } from "./command.ts";

/** Store, index, carrier, logs and the runtime's own, with room for a busy moment. */
const PARTS = 64;
/** Readers of the pages, some of them with a stream. */
const WEB = 64;
/** Channels to a thread. */
const PER_THREAD = 3;
/** With fewer there is no crawl worth its name. */
const TURNS_MIN = 4;

export interface Needs {
  readonly turns: number;
  readonly hostConcurrency: number;
  readonly parseThreads: number;
  readonly web: boolean;
}

/** How many of `needs.turns` have the descriptors they need; 0: the parts alone need too many. */
export function turnsThatFit(limit: number, needs: Needs): number {
  const fit = Math.min(needs.turns, Math.floor((limit - besideTurns(needs)) / perTurn(needs)));
  return fit >= Math.min(TURNS_MIN, needs.turns) ? fit : 0;
}

/** The least limit at which all of `needs` fits. */
export function limitFor(needs: Needs): number {
  return besideTurns(needs) + needs.turns * perTurn(needs);
}

const besideTurns = ({ web, parseThreads }: Needs): number =>
  PARTS + (web ? WEB : 0) + PER_THREAD * parseThreads;

const perTurn = ({ hostConcurrency }: Needs): number => hostConcurrency + IDLE_PER_TURN;

/**
 * A process without a descriptor left cannot connect, and would take its hosts for dead: it crawls
 * with as many turns as fit, and says so. Null: with none, which has been told.
 */
export function withTurnsThatFit(call: Call, roles: readonly string[]): Call | null {
  const { config, log } = call;
  const needs = needsOf(config, roles.includes("web"));
  const limit = openFilesMax();
  const turns = turnsThatFit(limit, needs);
  if (turns === needs.turns) return call;
  const hint = `allow ${limitFor(needs)} open files (ulimit -n; LimitNOFILE= of systemd)`;
  if (turns === 0) {
    call.complain(`only ${limit} open files are allowed, too few to crawl with: ${hint}`);
    return null;
  }
  log.warn("turns.lowered", {
    limit,
    turns,
    wanted: needs.turns,
    hint: `${hint}, or set CRAWL_TURNS`,
  });
  return { ...call, config: { ...config, work: { ...config.work, turns } } };
}

function needsOf({ work, politeness }: Config, web: boolean): Needs {
  const { turns, parseThreads } = work;
  return { turns, hostConcurrency: politeness.hostConcurrency, parseThreads, web };
}
