import { getPriority, setPriority } from "node:os";

/** With it a thread still gets a tenth of what one of the main thread's priority would. */
const NICE = 10;

/**
 * Loaded by a pool's thread before anything else. Work that can wait gives way to the main thread,
 * which answers everybody: where all cores are busy, the event loop is late by half as much. Only
 * Linux knows a priority of one thread; elsewhere this would be the whole program's.
 */
if (process.platform === "linux") {
  try {
    setPriority(0, Math.min(19, getPriority(0) + NICE));
  } catch {
    // A thread that may not step back works all the same.
  }
}
