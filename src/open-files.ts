import { readdirSync, readFileSync } from "node:fs";

/** So few descriptors left that whatever needs one may have failed for want of it. */
const SHORT_OF = 16;

let limit: number | null = null;

/** How many files and sockets this process may have open; Infinity: nobody says. */
export function openFilesMax(): number {
  limit ??= readLimit();
  return limit;
}

/**
 * To be asked right after something failed that needed a descriptor, for the runtime says of an
 * exhausted process that the other side refuses. It costs a look at each open file.
 */
export function isShortOfFiles(): boolean {
  if (openFilesMax() === Number.POSITIVE_INFINITY) return false;
  try {
    return readdirSync("/dev/fd").length + SHORT_OF > openFilesMax();
  } catch (error) {
    // The look itself needs one.
    return ["EMFILE", "ENFILE"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

/** The soft limit; the runtime has raised it to the hard one when it started. */
function readLimit(): number {
  try {
    const line = readFileSync("/proc/self/limits", "utf8").match(/^Max open files\s+(\S+)/m);
    return numberOf(line?.[1]);
  } catch {
    return numberOf(Bun.spawnSync(["sh", "-c", "ulimit -n"]).stdout.toString());
  }
}

function numberOf(text = ""): number {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}
