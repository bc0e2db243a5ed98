import type { Scorer } from "./score.ts";

/**
 * What `run` makes of the scores of many documents; made anew when a signal failed on the way,
 * which then counts for none of them.
 */
export function settled<T>(scorer: Scorer, run: () => T): T {
  for (;;) {
    const failed = scorer.degraded.size;
    const made = run();
    if (scorer.degraded.size === failed) return made;
  }
}
