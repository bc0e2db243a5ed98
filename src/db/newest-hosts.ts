import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

/** Names of the hosts that came last, without those that are never to be visited. */
export async function newestHosts(db: Db, limit: number): Promise<string[]> {
  const rows = await run<{ name: string }>(
    db,
    sql`select name from hosts where state not in ('blocked', 'out_of_region')
      order by id desc limit ${limit}::integer`,
  );
  return rows.map(({ name }) => name);
}
