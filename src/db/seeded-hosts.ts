import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

export interface SeededHost {
  readonly id: number;
  readonly name: string;
  readonly domain: string;
}

export interface SeededRange {
  /** Seeded since then; null: ever. */
  readonly since: Date | null;
  /** Begins behind this one. */
  readonly after: SeededHost | null;
  readonly limit: number;
}

/** Hosts that a person named, in order of their ids. */
export async function seededHosts(db: Db, range: SeededRange): Promise<SeededHost[]> {
  const { since, after, limit } = range;
  const lately = since
    ? sql`seeded_at > ${since.toISOString()}::timestamptz`
    : sql`seeded_at is not null`;
  return await run<SeededHost>(
    db,
    sql`select id, name, domain from hosts
      where ${lately} and id > ${after?.id ?? 0}::integer
      order by id limit ${limit}::integer`,
  );
}

/** By the store's clock. */
export async function readNow(db: Db): Promise<Date> {
  const [row] = await run<{ now: string }>(db, sql`select clock_timestamp() as now`);
  return new Date(row!.now);
}
