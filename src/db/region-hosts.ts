import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

/** Some of the hosts that are out of the region and still have documents. A look at every host. */
export async function outOfRegionHosts(db: Db): Promise<number[]> {
  const rows = await run<{ id: number }>(
    db,
    sql`select id from hosts where state = 'out_of_region' and region_count > 0
      and turn_token is null order by id limit 100`,
  );
  return rows.map((row) => row.id);
}
