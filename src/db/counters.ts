import { sql } from "drizzle-orm";
import { bigints, texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

/** So many rows a counter: two connections that count at once seldom meet in one. */
const SHARDS = 64;

/** `accepted` and `removed` are counted by admission and removal themselves. */
export async function increment(db: Db, amounts: Readonly<Record<string, number>>): Promise<void> {
  // Sorted, so that two transactions never wait for each other in a circle.
  const names = Object.keys(amounts)
    .filter((name) => amounts[name] !== 0)
    .sort();
  if (names.length === 0) return;
  await run(
    db,
    sql`insert into counters as c (name, shard, value)
      select name, pg_backend_pid() % ${sql.raw(String(SHARDS))}, amount
      from unnest(${texts(names)}, ${bigints(names.map((name) => amounts[name]!))})
        as i (name, amount)
      on conflict (name, shard) do update set value = c.value + excluded.value`,
  );
}

export async function readCounters(db: Db): Promise<Map<string, number>> {
  const rows = await run<{ name: string; value: number }>(
    db,
    sql`select name, sum(value)::float8 as value from counters group by name`,
  );
  return new Map(rows.map((row) => [row.name, row.value]));
}
