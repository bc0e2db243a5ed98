import { sql } from "drizzle-orm";
import { texts } from "./bulk.ts";
import { wakeHosts } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import type { HostRow } from "./hosts.ts";
import { inTransaction, run } from "./statement.ts";

/** Why URLs of a host that failed are blocked. */
export const OUT_OF_REGION = "out of region";

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

/**
 * Hosts that are out of the region, and that nobody judges any more, get a turn: of all names, or
 * of those below these suffixes. Gives their number. A look at each that is out.
 */
export async function askUnjudged(db: Db, below: readonly string[] | "all"): Promise<number> {
  if (below.length === 0) return 0;
  const named =
    below === "all"
      ? sql`true`
      : sql`exists (select from unnest(${texts([...below])}) as s (suffix)
          where h.name = s.suffix or right(h.name, length(s.suffix) + 1) = '.' || s.suffix)`;
  const rows = await run(
    db,
    sql`with asked as materialized (
        select id from hosts h where h.state = 'out_of_region' and h.turn_token is null
          and (h.next_turn_at is null or h.next_turn_at > statement_timestamp()) and ${named}
        order by id limit 1000 for no key update skip locked
      )
      update hosts h set next_turn_at = greatest(statement_timestamp(), h.next_fetch_at)
      from asked where h.id = asked.id returning h.id`,
  );
  return rows.length;
}

/**
 * Up to `limit` URLs that were shut when their host failed are pending and due, one after the
 * other. Not while it is blocked or out of the region: that is asked with the host locked, and URLs
 * that others hold are left to the next call. Gives their number.
 */
export function openShutUrls(db: Db, hostId: number, limit: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const open = await run(
      tx,
      sql`select from hosts where id = ${hostId}::integer
        and state not in ('blocked', 'out_of_region') for no key update`,
    );
    if (open.length === 0) return 0;
    const rows = await run(
      tx,
      sql`with batch as materialized (
          select id, row_number() over (order by id) as place from (
            select id from urls where host_id = ${hostId}::integer and state = 'blocked'
              and reason = ${OUT_OF_REGION}
            order by id limit ${limit}::integer for no key update skip locked
          ) b
        )
        update urls u set state = 'pending', attempts = 0, crashes = 0, reason = null,
          target_id = null, next_crawl_at = statement_timestamp()
            + (batch.place - ${limit}::integer) * interval '1 microsecond'
        from batch where u.id = batch.id returning u.id`,
    );
    await wakeHosts(tx, rows.length > 0 ? [hostId] : []);
    return rows.length;
  });
}

export interface ShutSlice {
  /** Where the next slice begins; null: this was the last. */
  readonly next: number | null;
  /** Hosts that are open and have such URLs. */
  readonly hosts: readonly Pick<HostRow, "id" | "name" | "regionSum" | "regionCount">[];
}

/** Looks through `limit` blocked URLs behind `afterId` for those that were shut and forgotten. */
export async function shutUrlsAfter(db: Db, afterId: number, limit: number): Promise<ShutSlice> {
  const rows = await run<{
    last: string | null;
    n: string;
    host_id: number | null;
    name: string;
    region_sum: number;
    region_count: number;
  }>(
    db,
    sql`with slice as materialized (
        select id, host_id, reason from urls where state = 'blocked' and id > ${afterId}::bigint
        order by id limit ${limit}::integer
      ), seen as (select max(id) as last, count(*) as n from slice)
      select seen.last, seen.n, h.id as host_id, h.name, h.region_sum, h.region_count
      from seen left join hosts h on h.id in (
          select distinct host_id from slice where reason = ${OUT_OF_REGION}
        ) and h.state not in ('blocked', 'out_of_region')`,
  );
  const hosts = rows.flatMap((row) =>
    row.host_id === null
      ? []
      : {
          id: row.host_id,
          name: row.name,
          regionSum: row.region_sum,
          regionCount: row.region_count,
        },
  );
  const { last, n } = rows[0]!;
  return { next: Number(n) < limit ? null : Number(last), hosts };
}

/** URLs of a host whose visits are over and left no document, `limit` at most. */
export async function countFruitless(db: Db, hostId: number, limit: number): Promise<number> {
  const [row] = await run<{ n: string }>(
    db,
    sql`select count(*) as n from (
        select from urls where host_id = ${hostId}::integer and state in ('done', 'failed')
        limit ${limit}::integer
      ) over`,
  );
  return Number(row!.n);
}
