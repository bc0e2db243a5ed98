import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isAlive } from "../db/embedded-pid.ts";
import type { WorkerRow } from "../db/workers.ts";

/** What a process says of itself with each life sign, so that others can tell whether it lives. */
interface ProcessLife {
  /** Of this process and no other; its worker may come back under a new id. */
  readonly life: string;
  /** Where its number means something: two containers of one name both have a process 1. */
  readonly place: string;
  /** Tells it from a later process of the same number; null: cannot be told here. */
  readonly began: string | null;
}

export const THIS_PROCESS: ProcessLife = {
  life: crypto.randomUUID(),
  place: thisPlace(),
  began: beganAt(process.pid),
};

/** `unknown`: it is, or was, where its number means nothing to us. */
export type Fate = "gone" | "alive" | "unknown";

/** What has become of the process of a worker, by asking the system we both run on. */
export function fateOf({ pid, report }: Pick<WorkerRow, "pid" | "report">): Fate {
  const { life, place, began } = (report ?? {}) as Partial<ProcessLife>;
  if (life === THIS_PROCESS.life) return "alive";
  if (place !== THIS_PROCESS.place) return "unknown";
  if (pid === process.pid || !isAlive(pid)) return "gone";
  const now = beganAt(pid);
  const isAnother = now !== null && typeof began === "string" && now !== began;
  return isAnother ? "gone" : "alive";
}

/** The name alone is not enough: it is given to many, and outlives a restart of the machine. */
function thisPlace(): string {
  const boot = readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return `${hostname()} ${boot} ${pidNamespace()}`;
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Ticks from the start of the machine to that of the process: field 22, 20 after its name. */
function beganAt(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
