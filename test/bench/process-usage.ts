import { readFileSync } from "node:fs";

const TICKS_PER_S = 100;

/** User and system time of living processes and of their children that have ended. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      for (const field of fields.slice(11, 15)) ticks += Number(field);
    } catch {
      // It ended while we looked.
    }
  }
  return ticks / TICKS_PER_S;
}

/** RSS would count memory that processes share once for each. */
export function pssMb(pids: readonly number[]): number {
  let kb = 0;
  for (const pid of pids) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      kb += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // It ended while we looked.
    }
  }
  return kb / 1024;
}
