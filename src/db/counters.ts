import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { RowList } from "./row-list.ts";
import { keep, run } from "./statement.ts";

/** So many rows a counter: two connections that count at once seldom meet in one. */
const SHARDS = 64;

/** By name, what is added. */
export type Counts = Readonly<Record<string, number>>;

/** `accepted` and `removed` are counted by admission and removal themselves. */
export async function increment(db: Db, counts: Counts): Promise<void> {
  const values = countedValues(counts);
  if (values !== null) await countRows(db, values);
}

const COUNTED = new RowList<readonly [string, number]>("counted", {
  name: ["text", ([name]) => name],
  amount: ["bigint", ([, amount]) => amount],
});

/** For `counting`; null: there is nothing to count. */
export function countedValues(counts: Counts): Record<string, string> | null {
  // Sorted, so that two transactions never wait for each other in a circle.
  const rows = Object.entries(counts)
    .filter(([, amount]) => amount !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return rows.length === 0 ? null : COUNTED.values(rows);
}

export const counting = (): SQL => sql`insert into counters as c (name, shard, value)
  select name, pg_backend_pid() % ${sql.raw(String(SHARDS))}, amount from ${COUNTED.table} i
  on conflict (name, shard) do update set value = c.value + excluded.value`;

const countRows = keep(counting);

export async function readCounters(db: Db): Promise<Map<string, number>> {
  const rows = await run<{ name: string; value: number }>(
    db,
    sql`select name, sum(value)::float8 as value from counters group by name`,
  );
  return new Map(rows.map((row) => [row.name, row.value]));
}
