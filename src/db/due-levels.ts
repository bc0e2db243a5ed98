import { type SQL, sql } from "drizzle-orm";

/**
 * One row a priority that host `hostId` has pending URLs of, highest first, with its soonest due
 * time: a few descents of the index urls_claim, however many URLs there are. `hostId` is a column
 * or a parameter.
 */
export function dueLevels(hostId: SQL): SQL {
  const first = (below: SQL) => sql`select u.priority, u.next_crawl_at from urls u
    where u.host_id = ${hostId} and u.state = 'pending' ${below}
    order by u.priority desc, u.next_crawl_at, u.id limit 1`;
  return sql`with recursive level (priority, due_at) as (
      (${first(sql``)})
      union all
      select next.priority, next.next_crawl_at
      from level cross join lateral (${first(sql`and u.priority < level.priority`)}) next
    )`;
}

/**
 * When the soonest pending URL or sitemap of host `hostId` is due, as a scalar; null when it has
 * none.
 */
export function soonestDue(hostId: SQL): SQL {
  return sql`least(
    (${dueLevels(hostId)} select min(due_at) from level),
    (select map.next_fetch_at from sitemaps map
      where map.host_id = ${hostId} and map.next_fetch_at is not null
      order by map.next_fetch_at limit 1)
  )`;
}
