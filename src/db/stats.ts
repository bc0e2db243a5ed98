import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

/** A request of its own that brought a page, or word that it has not changed. */
const isPage = sql`fetched_at is not null and status is not null
  and (status between 200 and 299 or status = 304)`;
/** A request that was sent, and neither brought a page nor led on to one. */
const isError = sql`fetch_started_at is not null and (status is null or status >= 400)`;

/**
 * Statistics read at most so many of the newest visits: their cost must not grow with the speed.
 */
const NEWEST_MAX = 5_000;

/** The mean over the last `windowS` seconds. */
export async function pagesPerSecond(db: Db, windowS: number): Promise<number> {
  const [row] = await run<{ pages: number }>(
    db,
    sql`select (count(*) filter (where ${isPage}))::float8 as pages
      from visits where settled_at > ${ago(windowS)}`,
  );
  return row!.pages / windowS;
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/**
 * Milliseconds from the start of a page's fetch to the moment a search can return it, of the newest
 * pages of the last `windowS` seconds; null when there were none.
 */
export function timeToSearchable(db: Db, windowS: number): Promise<Percentiles | null> {
  return percentiles(db, windowS, sql`indexed_at - fetch_started_at`, sql`indexed_at is not null`);
}

/** Milliseconds that requests took; null when there were none. */
export function fetchTimes(db: Db, windowS: number): Promise<Percentiles | null> {
  return percentiles(db, windowS, sql`fetched_at - fetch_started_at`, sql`fetched_at is not null`);
}

async function percentiles(
  db: Db,
  windowS: number,
  took: SQL,
  counts: SQL,
): Promise<Percentiles | null> {
  const [row] = await run<{ ms: [number, number, number] | null }>(
    db,
    sql`select percentile_disc(array[0.5, 0.95, 0.99])
        within group (order by (extract(epoch from took) * 1000)::float8) as ms
      from (
        select ${took} as took from visits
        where settled_at > ${ago(windowS)} and fetch_started_at is not null and ${counts}
        order by settled_at desc limit ${NEWEST_MAX}::integer
      ) newest`,
  );
  if (!row?.ms) return null;
  const [p50, p95, p99] = row.ms;
  return { p50, p95, p99 };
}

export interface ActivityBucket {
  /** Begin of the bucket: whole multiples of its width since the epoch. */
  readonly at: Date;
  readonly pages: number;
  readonly errors: number;
}

/** Visits since a moment by buckets of `bucketS` seconds, oldest first; empty ones are left out. */
export async function activitySince(
  db: Db,
  since: Date,
  bucketS: number,
): Promise<ActivityBucket[]> {
  const rows = await run<{ at: number; pages: number; errors: number }>(
    db,
    sql`select floor(extract(epoch from settled_at) / ${bucketS}::integer)::float8 as at,
        (count(*) filter (where ${isPage}))::float8 as pages,
        (count(*) filter (where ${isError}))::float8 as errors
      from visits where settled_at >= ${since.toISOString()}::timestamptz
      group by 1 order by 1`,
  );
  return rows.map(({ at, pages, errors }) => ({
    at: new Date(at * bucketS * 1000),
    pages,
    errors,
  }));
}

const ago = (seconds: number) =>
  sql`statement_timestamp() - ${seconds}::float8 * interval '1 second'`;
