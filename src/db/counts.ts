import { sql } from "drizzle-orm";
import type { UrlState } from "./admit-urls.ts";
import type { Db } from "./connect.ts";
import type { HostState } from "./hosts.ts";
import { run } from "./statement.ts";

/** `due` are the pending URLs whose time has come. */
export type UrlCounts = Record<UrlState | "due", number>;

const NO_URLS: UrlCounts = { pending: 0, due: 0, in_progress: 0, done: 0, failed: 0, blocked: 0 };

/**
 * URLs by state, of one moment. Reads every row (about 0.1 s a million): callers keep the answer
 * for a while that grows with what it took.
 */
export async function countUrlsByState(db: Db, hostId: number | null = null): Promise<UrlCounts> {
  const of = hostId === null ? sql`` : sql`where host_id = ${hostId}::integer`;
  const rows = await run<{ state: UrlState; n: number; due: number }>(
    db,
    sql`select state, count(*)::float8 as n,
        (count(*) filter (where next_crawl_at <= statement_timestamp()))::float8 as due
      from urls ${of} group by state`,
  );
  const counts = { ...NO_URLS };
  for (const { state, n, due } of rows) {
    counts[state] = n;
    if (state === "pending") counts.due = due;
  }
  return counts;
}

export interface Conservation {
  readonly accepted: number;
  /** Rows that are there: the sum of all states. */
  readonly present: number;
  readonly removed: number;
}

/** The law: accepted = present + removed, at any moment. One statement, so one moment. */
export async function conservation(db: Db): Promise<Conservation> {
  const counted = (name: string) => sql`(
    select coalesce(sum(value), 0)::float8 from counters where name = ${name})`;
  const [row] = await run<Conservation>(
    db,
    sql`select ${counted("accepted")} as accepted, ${counted("removed")} as removed,
      (select count(*)::float8 from urls) as present`,
  );
  return row!;
}

const NO_HOSTS: Record<HostState, number> = {
  active: 0,
  waiting_robots: 0,
  backing_off: 0,
  parked: 0,
  paused: 0,
  dead: 0,
  blocked: 0,
  out_of_region: 0,
};

export async function countHostsByState(db: Db): Promise<Record<HostState, number>> {
  const rows = await run<{ state: HostState; n: number }>(
    db,
    sql`select state, count(*)::float8 as n from hosts group by state`,
  );
  return { ...NO_HOSTS, ...Object.fromEntries(rows.map(({ state, n }) => [state, n])) };
}

/** Host turns that run now, in the whole cluster. */
export async function countTurns(db: Db): Promise<number> {
  const [row] = await run<{ n: number }>(
    db,
    sql`select count(*)::float8 as n from hosts where turn_token is not null`,
  );
  return row!.n;
}
