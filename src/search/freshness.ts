const DAY_MS = 86_400_000;
/** Younger pages are all as fresh. */
const OFFSET_MS = 3 * DAY_MS;
/** So much later than that half of it is left. */
const SCALE_MS = 30 * DAY_MS;
/** A date further ahead is a mistake, or a wish to come first. */
const AHEAD_MS = DAY_MS;

/** Pages of one list are asked for one after the other, and must be of one order. */
const STEP_MS = 3_600_000;

/** When a search is taken to be asked. */
export const askedAt = (now: number): number => Math.floor(now / STEP_MS) * STEP_MS;

/** 1 for what was published just now, a half after a month, next to nothing after three. */
export function freshness(at: number | undefined, publishedAt: number | null): number | null {
  if (at === undefined || publishedAt === null) return null;
  const age = at - publishedAt;
  if (age < -AHEAD_MS - STEP_MS) return null;
  return 0.5 ** (Math.max(0, (age - OFFSET_MS) / SCALE_MS) ** 2);
}
