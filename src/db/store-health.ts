import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

/** A store that is full or read-only still answers reads: does it take writes? */
export async function takesWrites(db: Db): Promise<boolean> {
  const [row] = await run<{ open: boolean }>(
    db,
    sql`select not pg_is_in_recovery()
      and current_setting('transaction_read_only') = 'off' as open`,
  );
  return row?.open === true;
}
