import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";

export interface Share {
  pid: number;
  command: string;
  /** Proportional set size: memory shared with others is counted by its share. */
  pssKb: number;
}

/** Memory of processes, the largest first; those that ended meanwhile are left out. */
export function sharesOf(pids: readonly number[]): Share[] {
  const shares = pids.flatMap((pid) => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      const pssKb = Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)![1]);
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return [{ pid, command: command.slice(0, 60), pssKb }];
    } catch {
      return [];
    }
  });
  return shares.toSorted((a, b) => b.pssKb - a.pssKb);
}

export const totalMb = (shares: readonly Share[]): number =>
  Math.round(shares.reduce((sum, { pssKb }) => sum + pssKb, 0) / 1024);

/** Processes that work in a folder or below, wherever they were started. */
export function processesIn(folder: string): number[] {
  const real = realpathSync(folder);
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const cwd = readlinkSync(`/proc/${name}/cwd`);
      return cwd === real || cwd.startsWith(`${real}/`) ? [Number(name)] : [];
    } catch {
      // It ended, or is none of ours to look at.
      return [];
    }
  });
}
