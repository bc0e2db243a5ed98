import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

const SLICE = 1_000;

/**
 * Of the next hosts that are out of the region, behind `after` in order of their ids: those that
 * still have documents. `next`: where to go on; 0: from the beginning.
 */
export async function outOfRegionHosts(
  db: Db,
  after: number,
): Promise<{ ids: number[]; next: number }> {
  const rows = await run<{ id: number; has_documents: boolean }>(
    db,
    sql`select id, region_count > 0 and turn_token is null as has_documents from hosts
      where state = 'out_of_region' and id > ${after}::integer
      order by id limit ${sql.raw(String(SLICE))}`,
  );
  const ids = rows.filter((row) => row.has_documents).map((row) => row.id);
  return { ids, next: rows.length < SLICE ? 0 : rows.at(-1)!.id };
}
