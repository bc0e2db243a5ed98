import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

/** As Linux names them: the engine's compilers, and what gives memory back. */
const NAMES: readonly string[] = ["JITWorker", "mi-scavenger"];
const NICE = 10;
/** Compilers that have nothing to do end, and others begin later. */
const LOOK_MS = 1_000;
const TASKS = "/proc/self/task";

/**
 * Gives threads of the engine that nobody waits for a lower priority. While a program is young they
 * take a fifth of two cores, and who is to answer would have to wait for a core beside them. Only
 * Linux knows a priority of one thread. Of threads of our own: thread-priority.ts.
 */
export function lowerEngineThreads(): { stop(): void } {
  if (process.platform !== "linux") return { stop() {} };
  const lowered = new Set<string>();
  const look = () => {
    try {
      for (const thread of readdirSync(TASKS)) {
        if (!lowered.has(thread) && NAMES.includes(nameOf(thread))) {
          setPriority(Number(thread), NICE);
          lowered.add(thread);
        }
      }
    } catch {
      // One that has just ended; the next look finds the others.
    }
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  look();
  return { stop: () => clearInterval(timer) };
}

const nameOf = (thread: string): string =>
  readFileSync(`${TASKS}/${thread}/comm`, "utf8").trimEnd();
