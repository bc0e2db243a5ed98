import { isOutage } from "../db/store-errors.ts";
import { causeFirst } from "../log.ts";
import type { CrawlDeps } from "./deps.ts";

const WAIT_FIRST_MS = 50;
const WAIT_MAX_MS = 1_000;

/**
 * For what ends a lease: a store that is away for a moment must not make its worker forget it, for
 * a turn of a living worker is nobody else's. Tried until it is written; null when the leases of
 * `workerId` are lost meanwhile, for then others rescue what it held.
 */
export async function untilWritten<T>(
  deps: Pick<CrawlDeps, "breaker" | "clock" | "heartbeat">,
  workerId: string,
  write: () => Promise<T>,
): Promise<T | null> {
  for (let waitMs = WAIT_FIRST_MS; ; waitMs = Math.min(2 * waitMs, WAIT_MAX_MS)) {
    try {
      return await write();
    } catch (error) {
      if (!isOutage(error)) throw error;
      deps.breaker.trip("postgres", causeFirst(error));
      if (deps.heartbeat.id !== workerId) return null;
      await deps.clock.sleep(waitMs);
    }
  }
}
