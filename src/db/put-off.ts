import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { dueLevels } from "./due-levels.ts";
import { run } from "./statement.ts";

export interface PutOff {
  readonly hostId: number;
  /** How their URLs begin: the front page of an authority. */
  readonly prefix: string;
  readonly until: Date;
}

/**
 * Puts off up to `limit` pending URLs of one authority that would come due before `until`: nothing
 * counted. A turn that claimed them one by one would leave the host's other authorities waiting
 * behind them. Gives their number; the caller goes on until it is 0.
 */
export async function putOffUrls(db: Db, { hostId, prefix, until }: PutOff, limit: number) {
  const at = sql`${until.toISOString()}::timestamptz`;
  const rows = await run(
    db,
    sql`update urls set next_crawl_at = ${at} where id = any(array(
      ${dueLevels(sql`${hostId}::integer`)}
      select early.id from level cross join lateral (
        select u.id from urls u
        where u.host_id = ${hostId}::integer and u.state = 'pending'
          and u.priority = level.priority and u.next_crawl_at < ${at}
          and starts_with(u.url, ${prefix})
        order by u.next_crawl_at, u.id limit ${limit}::integer
        for no key update of u skip locked
      ) early limit ${limit}::integer
    )) returning id`,
  );
  return rows.length;
}
