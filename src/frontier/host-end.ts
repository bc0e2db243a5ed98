import type { TurnEnd } from "../actors/host.ts";
import { HOST_WAIT_MAX_MS, hostBackoffMs, throttleWaitMs } from "./backoff.ts";

export interface HostFacts {
  /** Did any request of the turn get an answer of its own? */
  answered: boolean;
  /** Failed turns in a row before this one. */
  failures: number;
  nextFetchAt: number;
  /** The gap in force. */
  delayMs: number;
  now: number;
  /** 0..1 */
  random: number;
  retryBaseMs: number;
  deadAfter: number;
}

export interface HostAfter {
  state: "active" | "waiting_robots" | "backing_off" | "dead";
  reason: string | null;
  /** Not before this; the host is due when this has passed and one of its URLs is due. */
  nextTurnAt: Date;
  failures: number;
  /** URLs that met the failure come after their siblings: not before this. */
  putBehindUntil: Date | null;
}

const SOON_MS = 500;
const CRASH_WAIT_MS = 5_000;
/** URLs that met the failure let their siblings go first. */
const BEHIND_MS = 1_000;

/** What the end of a turn makes of its host. Times in epoch ms unless a Date. */
export function hostAfter(end: TurnEnd, facts: HostFacts): HostAfter {
  const at = (ms: number) => new Date(Math.max(ms, facts.nextFetchAt));
  const active = (ms: number): HostAfter => ({
    state: "active",
    reason: null,
    nextTurnAt: at(ms),
    failures: facts.answered ? 0 : facts.failures,
    putBehindUntil: null,
  });
  switch (end.kind) {
    case "exhausted":
    case "budget":
    case "long gap":
    case "stopped":
    case "halted":
    case "lease lost":
      return active(facts.now);
    case "no slot":
    case "part down":
      return active(facts.now + SOON_MS + facts.random * SOON_MS);
    case "crashed":
      return active(facts.now + CRASH_WAIT_MS);
    case "waiting for robots":
      if (!end.counts) return waiting(end, facts);
      return failed("waiting_robots", end.why, facts, () => end.retryAt - facts.now);
    case "throttled":
      return failed("backing_off", `the host answers ${end.status}`, facts, (backoffMs, lastMs) => {
        // Believed once: a host that says "in a second" for a minute must not be dead by then.
        const retryAfterMs = end.retryAfterMs === null ? null : Math.max(end.retryAfterMs, lastMs);
        return throttleWaitMs({ retryAfterMs, delayMs: facts.delayMs, backoffMs });
      });
    case "unreachable":
      return failed("backing_off", end.why, facts, (backoffMs) => backoffMs);
    default:
      return end satisfies never;
  }
}

/** Known from before, or the host has answered elsewhere: not one step nearer to its death. */
function waiting(
  end: Extract<TurnEnd, { kind: "waiting for robots" }>,
  facts: HostFacts,
): HostAfter {
  return {
    state: facts.failures >= facts.deadAfter ? "dead" : "waiting_robots",
    reason: end.why,
    nextTurnAt: new Date(Math.max(end.retryAt, facts.nextFetchAt)),
    failures: facts.failures,
    putBehindUntil: null,
  };
}

function failed(
  state: "waiting_robots" | "backing_off",
  reason: string,
  facts: HostFacts,
  /** Of the back-off now, and of the one before this failure; 0: it is the first in a row. */
  waitMs: (backoffMs: number, lastBackoffMs: number) => number,
): HostAfter {
  const before = facts.answered ? 0 : facts.failures;
  const dead = before + 1 >= facts.deadAfter;
  const base = { baseMs: facts.retryBaseMs, random: facts.random };
  const lastBackoffMs = before === 0 ? 0 : hostBackoffMs(before, base);
  const wait = dead ? HOST_WAIT_MAX_MS : waitMs(hostBackoffMs(before + 1, base), lastBackoffMs);
  const at = Math.max(facts.now + wait, facts.nextFetchAt);
  return {
    state: dead ? "dead" : state,
    reason,
    nextTurnAt: new Date(at),
    failures: before + 1,
    putBehindUntil: new Date(at + BEHIND_MS),
  };
}
