import { lt, sql } from "drizzle-orm";
import { integers, texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { queryStats } from "./schema/query-stats.ts";
import { run } from "./statement.ts";

export interface QuerySum {
  readonly query: string;
  readonly requests: number;
  readonly empty: number;
  readonly slow: number;
  readonly slowestMs: number;
}

/** Different queries kept of one day: further ones of that day are not told of. */
export const DAY_QUERIES_MAX = 2_000;

/** Adds up; each query must stand in `sums` once. */
export async function addQuerySums(db: Db, day: string, sums: readonly QuerySum[]): Promise<void> {
  if (sums.length === 0) return;
  const [known] = await run<{ count: number }>(
    db,
    sql`select count(*)::integer as count from query_stats where day = ${day}::date`,
  );
  const isFull = known!.count >= DAY_QUERIES_MAX;
  const only = isFull
    ? sql`where exists (select from query_stats q where q.day = ${day}::date and q.query = s.query)`
    : sql``;
  await run(
    db,
    sql`insert into query_stats as q (day, query, requests, empty, slow, slowest_ms)
      select ${day}::date, s.query, s.requests, s.empty, s.slow, s.slowest_ms
      from unnest(${texts(sums.map(({ query }) => query))},
        ${integers(sums.map(({ requests }) => requests))},
        ${integers(sums.map(({ empty }) => empty))}, ${integers(sums.map(({ slow }) => slow))},
        ${integers(sums.map(({ slowestMs }) => slowestMs))}
      ) s (query, requests, empty, slow, slowest_ms) ${only} order by s.query
      on conflict (day, query) do update set requests = q.requests + excluded.requests,
        empty = q.empty + excluded.empty, slow = q.slow + excluded.slow,
        slowest_ms = greatest(q.slowest_ms, excluded.slowest_ms)`,
  );
}

export interface QueryLists {
  readonly top: QuerySum[];
  readonly empty: QuerySum[];
  readonly slow: QuerySum[];
}

/** Of the days kept, each list with at most `limit`. */
export async function listQuerySums(db: Db, limit: number): Promise<QueryLists> {
  const rows = await run<QuerySum & { by: keyof QueryLists }>(
    db,
    sql`with all_days as materialized (
        select query, sum(requests)::integer as requests, sum(empty)::integer as empty,
          sum(slow)::integer as slow, max(slowest_ms) as "slowestMs"
        from query_stats group by query
      )
      (select 'top' as by, * from all_days order by requests desc, query limit ${limit})
      union all
      (select 'empty', * from all_days where empty > 0 order by empty desc, query limit ${limit})
      union all
      (select 'slow', * from all_days where slow > 0
        order by "slowestMs" desc, query limit ${limit})`,
  );
  const of = (by: keyof QueryLists) =>
    rows.filter((row) => row.by === by).map(({ by: _, ...sum }) => sum);
  return { top: of("top"), empty: of("empty"), slow: of("slow") };
}

/** Days before it are forgotten. */
export async function forgetQueries(db: Db, before: Date): Promise<void> {
  await db.delete(queryStats).where(lt(queryStats.day, before.toISOString().slice(0, 10)));
}
