import { sql } from "drizzle-orm";
import { integers } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

/** Waiting URLs of one host that are raised at once: those that it would be asked for first. */
const URLS_MAX = 100;
/** Hosts of one statement. */
const HOSTS_MAX = 50;

export interface HostBoost {
  readonly id: number;
  /** What it adds to the priority of a URL, in all. */
  readonly boost: number;
}

/**
 * Raises what waits at hosts that have more links now, by what that adds to what they had: never
 * what a person named, and nothing twice. Gives the number of URLs.
 */
export async function boostHosts(db: Db, boosts: readonly HostBoost[]): Promise<number> {
  let raised = 0;
  for (let at = 0; at < boosts.length; at += HOSTS_MAX) {
    const some = boosts.slice(at, at + HOSTS_MAX);
    const rows = await run(
      db,
      sql`with rising as materialized (
          select h.id, w.boost, w.boost - h.priority_boost as more
          from unnest(${integers(some.map(({ id }) => id))},
            ${integers(some.map(({ boost }) => boost))}) as w (id, boost)
          join hosts h on h.id = w.id
          where w.boost > h.priority_boost order by h.id for no key update of h
        ), noted as (
          update hosts h set priority_boost = r.boost from rising r where h.id = r.id
        ), waiting as materialized (
          select first.id, r.more from rising r cross join lateral (
            select u.id, u.via from urls u where u.host_id = r.id and u.state = 'pending'
            order by u.priority desc, u.next_crawl_at, u.id limit ${URLS_MAX}::integer
            for no key update of u skip locked
          ) first
          where first.via not in ('seed', 'submission')
        )
        update urls u set priority = least(255, u.priority + w.more)
        from waiting w where u.id = w.id returning u.id`,
    );
    raised += rows.length;
  }
  return raised;
}
