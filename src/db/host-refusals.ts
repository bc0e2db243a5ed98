import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { RowList } from "./row-list.ts";
import { keep, run } from "./statement.ts";

export interface HostRefusal {
  readonly host: string;
  readonly reason: string;
  readonly count: number;
}

/** Adds to the counts of hosts that are known. */
export async function countRefusals(db: Db, refusals: readonly HostRefusal[]): Promise<void> {
  if (refusals.length === 0) return;
  await addCounts(db, REFUSED.values(refusals));
}

const REFUSED = new RowList<HostRefusal>("refused", {
  host: ["text", (row) => row.host],
  reason: ["text", (row) => row.reason],
  amount: ["bigint", (row) => row.count],
});

/** In order of hosts, so that two processes never wait for each other in a circle. */
const addCounts = keep(
  () => sql`insert into host_refusals as r (host_id, reason, value)
    select h.id, i.reason, i.amount from ${REFUSED.table} i join hosts h on h.name = i.host
    order by h.id, i.reason
    on conflict (host_id, reason) do update set value = r.value + excluded.value`,
);

/** With the row of its host. */
export async function forgetRefusals(tx: Db, hostId: number): Promise<void> {
  await run(tx, sql`delete from host_refusals where host_id = ${hostId}::integer`);
}
