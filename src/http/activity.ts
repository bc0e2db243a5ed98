import type { ActivityBucket } from "../db/stats.ts";
import { ACTIVITY_BUCKET_S } from "./deps.ts";

const WINDOW_S = 15 * 60;
const BUCKET_MS = ACTIVITY_BUCKET_S * 1_000;
const BUCKETS = WINDOW_S / ACTIVITY_BUCKET_S;

/** Rates of the last 15 minutes, oldest first; only buckets that have ended. */
export interface Activity {
  pages: number[];
  errors: number[];
}

/**
 * Keeps the window between reads, so that the history is asked for its newest rows only. Each read
 * repeats the last bucket: rows of history may arrive a moment late.
 */
export function createActivity(read: (since: Date) => Promise<ActivityBucket[]>) {
  const kept = new Map<number, ActivityBucket>();
  let readUntil = 0;

  return async (now: number): Promise<Activity> => {
    const end = Math.floor(now / BUCKET_MS) * BUCKET_MS;
    const begin = end - BUCKETS * BUCKET_MS;
    if (readUntil < end) {
      const since = Math.max(begin, readUntil - BUCKET_MS);
      for (const bucket of await read(new Date(since))) kept.set(bucket.at.getTime(), bucket);
      readUntil = end;
    }
    for (const at of kept.keys()) if (at < begin) kept.delete(at);
    const rates = (pick: (bucket: ActivityBucket) => number) =>
      Array.from({ length: BUCKETS }, (_, index) => {
        const bucket = kept.get(begin + index * BUCKET_MS);
        return bucket ? pick(bucket) / ACTIVITY_BUCKET_S : 0;
      });
    return { pages: rates((each) => each.pages), errors: rates((each) => each.errors) };
  };
}
