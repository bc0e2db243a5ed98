import type postgres from "postgres";
import type { AdmitRow } from "../../src/db/admit-urls.ts";
import { keyOf } from "../db/frontier.ts";

/** A frontier whose rows the store makes itself, as admission would have left them. */
export interface Frontier {
  readonly urls: number;
  readonly hosts: number;
}

const HOST_URLS = 200;
/** What one group commit brings: so many pages, each of another host, and new links of each. */
const PAGES = 32;
const LINKS = 3;
const GROUP = PAGES * LINKS;

export function frontierOf(urls: number): Frontier {
  return { urls, hosts: Math.max(50, Math.ceil(urls / HOST_URLS)) };
}

export const hostName = (n: number): string => `host-${n}.example.org`;

/** The URL of 70 characters with this number; those from `urls` on are new. */
export function rowAt(n: number, { hosts }: Frontier): AdmitRow {
  const group = Math.floor(n / GROUP);
  const host = hostName((group * PAGES + (n % PAGES)) % hosts);
  const url = `https://${host}/section-${n % 97}/article-${n}`.padEnd(70, "x");
  return {
    key: keyOf(url),
    url,
    host,
    domain: "example.org",
    depth: 3,
    hops: 0,
    priority: 91 + (group % 4) * 3,
    via: "link",
    raise: false,
    seeds: false,
  };
}

const SLICE = 500_000;

/**
 * Fills an empty database. Indexes are made afterwards, and those whose rows come in no order as
 * full as admission leaves them: a fresh one would be a third smaller than a grown one.
 */
export async function fill(sql: postgres.Sql, frontier: Frontier): Promise<void> {
  const { urls, hosts } = frontier;
  await sql`insert into hosts (name, domain, url_count, seeded_at, next_turn_at)
    select 'host-' || n || '.example.org', 'example.org', ${Math.floor(urls / hosts)}::int, now(),
      now() - interval '1 hour' - n * interval '1 ms'
    from generate_series(0, ${hosts - 1}::int) n`;
  const indexes = await sql`select indexname, indexdef from pg_indexes where tablename = 'urls'`;
  await sql`alter table urls drop constraint urls_key_unique`;
  for (const { indexname } of indexes) {
    if (!/_pkey|_unique/.test(indexname)) await sql.unsafe(`drop index ${indexname}`);
  }
  for (let from = 0; from < urls; from += SLICE) {
    await fillSlice(sql, frontier, from, Math.min(urls, from + SLICE) - 1);
  }
  await sql`set maintenance_work_mem = '256MB'`;
  await sql`create unique index urls_key_unique on urls (key) with (fillfactor = 70)`;
  await sql`alter table urls add constraint urls_key_unique unique using index urls_key_unique`;
  for (const { indexname, indexdef } of indexes) {
    if (/_pkey|_unique/.test(indexname)) continue;
    await sql.unsafe(indexdef.replace(/( WHERE|$)/, " WITH (fillfactor = 70)$1"));
  }
  await sql`insert into counters (name, shard, value) values ('accepted', 0, ${urls})`;
  await sql`vacuum (analyze) urls`;
  await sql`vacuum (analyze) hosts`;
  await sql`checkpoint`;
}

/** Keys as url/canonical.ts makes them: the first half of a sha256. */
async function fillSlice(
  sql: postgres.Sql,
  { hosts }: Frontier,
  from: number,
  to: number,
): Promise<void> {
  await sql`insert into urls (host_id, key, via, url, priority, depth, next_crawl_at)
    select h.id, substr(encode(sha256(url::bytea), 'hex'), 1, 32)::uuid, 'link', url,
      91 + (u.page_group % 4) * 3, 3,
      statement_timestamp() - interval '1 hour' + n * interval '1 microsecond'
    from (
      select *, rpad('https://host-' || host || '.example.org/section-' || n % 97
        || '/article-' || n, 70, 'x') as url
      from generate_series(${from}::int, ${to}::int) n
        cross join lateral (select n / ${GROUP}::int as page_group) g
        cross join lateral (select (page_group * ${PAGES}::int + n % ${PAGES}::int) % ${hosts}::int
          as host) h
    ) u join hosts h on h.name = 'host-' || u.host || '.example.org'
    order by n`;
}
