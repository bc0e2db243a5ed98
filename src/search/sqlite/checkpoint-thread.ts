import "../../thread-priority.ts";
import type { Database } from "bun:sqlite";
import { serve } from "./serve.ts";
import { openForReading } from "./tables.ts";

/**
 * Entry of the thread that folds the log back into the file. The writer would stand still for it,
 * a third of a second for 32 MB; a passive checkpoint beside it waits for nobody and stops nobody.
 */

const EVERY_MS = 500;
/** Pages worth a checkpoint; fewer are folded in once the log has not grown for a while. */
const PAGES_MIN = 1_000;
const QUIET_MS = 5_000;

let path = "";
let open: Database | null = null;
let timer: ReturnType<typeof setInterval> | undefined;
let seen = { pages: 0, at: 0 };

type Mode = "noop" | "passive";

function pagesBehind(db: Database, mode: Mode): number {
  const state = db
    .query<{ log: number; checkpointed: number }, []>(`pragma wal_checkpoint(${mode})`)
    .get()!;
  return state.log - state.checkpointed;
}

function fold(): void {
  try {
    open ??= openForReading(path, 0);
    const pages = pagesBehind(open, "noop");
    const now = performance.now();
    if (pages !== seen.pages) seen = { pages, at: now };
    const isDue = pages >= PAGES_MIN || (pages > 0 && now - seen.at > QUIET_MS);
    if (isDue) seen = { pages: pagesBehind(open, "passive"), at: now };
  } catch {
    // The writer says what is wrong with the file; here the next round tries again.
    open?.close();
    open = null;
  }
}

serve({
  open: (settings: { path: string }) => {
    path = settings.path;
    timer = setInterval(fold, EVERY_MS);
  },
  start: () => {},
  close: () => {
    clearInterval(timer);
    open?.close();
  },
});
