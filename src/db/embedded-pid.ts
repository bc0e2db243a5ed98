import { linkSync, readFileSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** postmaster.pid: who runs on this data folder, and where it listens. */
export interface Postmaster {
  readonly pid: number;
  /** Null until it listens. */
  readonly port: number | null;
  /** `starting`, `ready`, `stopping`, … as the server says it. */
  readonly status: string;
}

export function readPostmaster(data: string): Postmaster | null {
  const text = readText(pidFile(data));
  if (text === null) return null;
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3]) || null, status: lines[7] ?? "" };
}

/**
 * Is `pid` a Postgres on this folder? The number in a file left by a crash may belong to any other
 * program by now. A server works in its data folder and was started with its path.
 */
export function runsOn(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return commandOf(pid).includes(data);
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return (readText(`/proc/${pid}/cmdline`) ?? "").includes(data);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // Dead, but not yet fetched by its parent.
  return !/^\d+ \(.*\) Z/.test(readText(`/proc/${pid}/stat`) ?? "");
}

/**
 * Postgres removes a stale file itself, unless another program has its number now: then it would
 * believe itself running. Taken away by rename, so that a file which a newcomer wrote in between
 * is seen and put back.
 */
export function removeStale(data: string, stale: Postmaster): void {
  const aside = `${pidFile(data)}.stale-${process.pid}`;
  try {
    renameSync(pidFile(data), aside);
  } catch {
    return;
  }
  const taken = Number((readText(aside) ?? "").split("\n")[0]);
  if (taken !== stale.pid) {
    try {
      linkSync(aside, pidFile(data));
    } catch {}
  }
  rmSync(aside, { force: true });
}

function pidFile(data: string): string {
  return join(data, "postmaster.pid");
}

function commandOf(pid: number): string {
  const child = Bun.spawnSync(["ps", "-o", "command=", "-p", `${pid}`], { timeout: 5_000 });
  return child.stdout.toString();
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
