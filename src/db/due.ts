import { sql } from "drizzle-orm";
import { wakeHosts } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { soonestDue } from "./due-levels.ts";
import { wishTwiceFor } from "./index-repairs.ts";
import { endLease } from "./settle-urls.ts";
import { inTransaction, run } from "./statement.ts";

/** A URL of a blocked host is asked about again after this, not at every look. */
export const BLOCKED_LOOK = sql`interval '1 day'`;

/**
 * The edge "came due" for up to `limit` URLs that are done or failed and whose time has come;
 * those of blocked hosts stay as they are. Gives the hosts that were woken.
 */
export function comeDue(db: Db, limit: number): Promise<number[]> {
  return inTransaction(db, async (tx) => {
    const rows = await run<{ host_id: number; state: string }>(
      tx,
      sql`with due as materialized (
          select u.id, h.state = 'blocked' as blocked from urls u join hosts h on h.id = u.host_id
          where u.state in ('done', 'failed') and u.next_crawl_at <= statement_timestamp()
          order by u.next_crawl_at limit ${limit}::integer
          for no key update of u skip locked
        )
        update urls u set
          state = case when blocked then u.state else 'pending' end,
          next_crawl_at = case when blocked then statement_timestamp() + ${BLOCKED_LOOK}
            else u.next_crawl_at end,
          attempts = case when blocked then u.attempts else 0 end,
          crashes = case when blocked then u.crashes else 0 end,
          reason = case when blocked then u.reason end,
          target_id = case when blocked then u.target_id end
        from due where u.id = due.id
        returning u.host_id, u.state`,
    );
    const woken = rows.filter((row) => row.state === "pending").map((row) => row.host_id);
    return await wakeNow(tx, woken);
  });
}

/**
 * Claims older than `leaseMs` whose turn is over go back as they were. Those of dead workers are
 * rescueTurns' business and younger. Gives the hosts that were woken.
 */
export function releaseStale(db: Db, leaseMs: number): Promise<number[]> {
  return inTransaction(db, async (tx) => {
    const rows = await run<{ host_id: number }>(
      tx,
      sql`with released as (
          update urls u set state = 'pending', ${endLease}
          where u.state = 'in_progress'
            and u.claimed_at < statement_timestamp() - ${leaseMs}::float8 * interval '1 ms'
            and not exists (
              select from hosts h where h.id = u.host_id and h.turn_token = u.lease_token
            )
          returning u.id, u.host_id
        ), wished as (${wishTwiceFor(sql`select id from released`)})
        select host_id from released`,
    );
    return await wakeNow(
      tx,
      rows.map((row) => row.host_id),
    );
  });
}

async function wakeNow(tx: Db, hostIds: readonly number[]): Promise<number[]> {
  const woken = [...new Set(hostIds)];
  await wakeHosts(tx, woken);
  return woken;
}

/**
 * Gives a next turn to hosts that have pending URLs and nothing that would bring them back: a
 * safety net, for a settle that came after the end of its turn. A look at every sleeping host, so
 * for the start and for once an hour. Gives their number.
 */
export async function wakeOverlooked(db: Db): Promise<number> {
  const rows = await run(
    db,
    sql`update hosts h set next_turn_at = greatest(due.at, h.next_fetch_at)
      from (
        select id, ${soonestDue(sql`s.id`)} as at from hosts s
        where next_turn_at is null and turn_token is null and state not in ('paused', 'blocked')
      ) due
      where h.id = due.id and due.at is not null and h.next_turn_at is null
        and h.turn_token is null and h.state not in ('paused', 'blocked')
      returning h.id`,
  );
  return rows.length;
}
