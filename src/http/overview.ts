import type { Clock } from "../clock.ts";
import { within } from "../deadline.ts";
import { causeFirst, type Log } from "../log.ts";
import type { LoopLag } from "../loop-lag.ts";
import { type Activity, createActivity } from "./activity.ts";
import type { OverviewReads } from "./deps.ts";
import type { Status } from "./status-json.ts";

/** What the first page of the console shows; null: could not be read. */
export interface Overview {
  status: Status;
  activity: Activity | null;
  /** Over the last minute. */
  errorsPerS: number | null;
  loopLag: LoopLag | null;
  fetchTimes: Awaited<ReturnType<OverviewReads["fetchTimes"]>>;
  hosts: Awaited<ReturnType<OverviewReads["hostsByState"]>> | null;
  conservation: Awaited<ReturnType<OverviewReads["conservation"]>> | null;
}

interface OverviewDeps {
  clock: Clock;
  log: Log;
  status(): Promise<Status>;
  loopLag(): LoopLag | null;
  overview: OverviewReads;
}

const READ_TIMEOUT_MS = 3_000;
/** Viewers share one reading a second, however many they are. */
const FRESH_MS = 900;
/** Sums over whole tables are not worth a reading a second. */
const SUMS_FRESH_MS = 5_000;

/** One reading for everybody; a part that does not answer leaves a gap, not an error. */
export function createOverview(deps: OverviewDeps): () => Promise<Overview> {
  const { clock, log, overview } = deps;
  const tolerant = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await within(READ_TIMEOUT_MS, work());
    } catch (error) {
      log.warn("overview.incomplete", { what, error: causeFirst(error) });
      return null;
    }
  };
  const activity = createActivity(overview.activity);
  const sums = shared(clock, SUMS_FRESH_MS, async () => {
    const [fetchTimes, hosts, conservation] = await Promise.all([
      tolerant("fetch times", overview.fetchTimes),
      tolerant("hosts", overview.hostsByState),
      tolerant("conservation", overview.conservation),
    ]);
    return { fetchTimes, hosts, conservation };
  });
  return shared(clock, FRESH_MS, async () => {
    const [status, rates, rest] = await Promise.all([
      within(READ_TIMEOUT_MS, deps.status()),
      tolerant("activity", () => activity(clock.now())),
      sums(),
    ]);
    const errorsPerS = rates && mean(rates.errors.slice(-6));
    return { status, activity: rates, errorsPerS, loopLag: deps.loopLag(), ...rest };
  });
}

/**
 * Concurrent callers share one run, later ones its value while it is fresh: from its begin on, and
 * not from its end as with `kept`, for viewers come each second and get a reading of that second.
 */
function shared<T>(clock: Clock, freshMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | null = null;
  return () => {
    if (last !== null && clock.now() - last.at < freshMs) return last.value;
    const value = read();
    const entry = { at: clock.now(), value };
    last = entry;
    value.catch(() => {
      if (last === entry) last = null;
    });
    return value;
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
