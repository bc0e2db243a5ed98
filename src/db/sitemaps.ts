import { getTableColumns, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { Room } from "./admission-room.ts";
import { integers, texts, uuids } from "./bulk.ts";
import { changeHosts, wakeHosts } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { ensureHosts } from "./host-ids.ts";
import { millis, RowList } from "./row-list.ts";
import { sitemaps } from "./schema/sitemaps.ts";
import { inTransaction, keep, run } from "./statement.ts";

export type SitemapRow = typeof sitemaps.$inferSelect;

/** A sitemap or feed that is in scope, and was perhaps not known. */
export interface FoundSitemap
  extends Pick<SitemapRow, "key" | "url" | "kind" | "origin" | "depth" | "hops"> {
  readonly host: string;
  readonly domain: string;
}

export type SitemapAdded =
  | { readonly kind: "added"; readonly hostId: number }
  | { readonly kind: "known" }
  /** Its host has as many as are kept. */
  | { readonly kind: "full" };

/** Rows kept of one host: the index of a large shop names some thousand, a trap all that it can. */
const KEPT_MAX: Readonly<Record<SitemapRow["kind"], number>> = { sitemap: 5_000, feed: 50 };

/** Enters what is new, due at once, and wakes its hosts. In order of `found`. */
export async function addSitemaps(
  db: Db,
  found: readonly FoundSitemap[],
  room: Room,
): Promise<SitemapAdded[]> {
  const keys = found.map((each) => each.key);
  const known = new Set(await knownKeys(db, keys));
  const fresh = new Map(found.filter(({ key }) => !known.has(key)).map((each) => [each.key, each]));
  const added = fresh.size === 0 ? new Map() : await insert(db, [...fresh.values()], room);
  return found.map(({ key }) => {
    if (known.has(key)) return { kind: "known" };
    const hostId = added.get(key);
    return hostId === undefined ? { kind: "full" } : { kind: "added", hostId };
  });
}

async function knownKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const rows = await run<{ key: string }>(
    db,
    sql`select key from sitemaps where key = any(${uuids(keys)})`,
  );
  return rows.map((row) => row.key);
}

function insert(db: Db, fresh: readonly FoundSitemap[], room: Room): Promise<Map<string, number>> {
  return inTransaction(db, async (tx) => {
    const { hosts } = await ensureHosts(tx, fresh, room);
    const list = <T>(value: (each: FoundSitemap) => T) => fresh.map(value);
    const rows = await run<{ key: string; host_id: number }>(
      tx,
      sql`with i as materialized (
          select * from unnest(
            ${uuids(list((each) => each.key))},
            ${integers(list((each) => hosts.get(each.host)!.id))},
            ${texts(list((each) => each.url))},
            ${texts(list((each) => each.kind))}::sitemap_kind[],
            ${texts(list((each) => each.origin))}::sitemap_origin[],
            ${integers(list((each) => each.depth))},
            ${integers(list((each) => each.hops))}
          ) with ordinality as i (key, host_id, url, kind, origin, depth, hops, place)
        ), kept as materialized (
          select g.host_id, g.kind, (
            select count(*) from sitemaps s where s.host_id = g.host_id and s.kind = g.kind
          ) as count
          from (select distinct host_id, kind from i) g
        ), ranked as materialized (
          select i.*, row_number() over (partition by i.host_id, i.kind order by place)
            + kept.count as rank from i join kept using (host_id, kind)
        )
        insert into sitemaps (key, host_id, url, kind, origin, depth, hops, next_fetch_at)
        select key, host_id, url, kind, origin, depth, hops,
          statement_timestamp() + place * interval '1 microsecond'
        from ranked
        where rank <= case kind when 'feed' then ${KEPT_MAX.feed}::integer
          else ${KEPT_MAX.sitemap}::integer end
        order by key
        on conflict (key) do nothing
        returning key, host_id`,
    );
    await wakeHosts(tx, [...new Set(rows.map((row) => row.host_id))]);
    return new Map(rows.map((row) => [row.key, row.host_id]));
  });
}

const COLUMNS = Object.entries(getTableColumns(sitemaps)).map(([key, column]) => ({
  key,
  name: toSnakeCase(key),
  column,
}));

const ASKED = new RowList<number>("asked", { host_id: ["integer", (id) => id] });
/** Rows of one look; the next one goes on. */
export const DUE_AT_ONCE = 16;

/** What is due of each of these hosts, longest due first; in order of the ids. */
export async function dueSitemaps(db: Db, hostIds: readonly number[]): Promise<SitemapRow[][]> {
  const rows = (await dueRows(db, ASKED.values(hostIds))).map(rowOf);
  const byHost = Map.groupBy(rows, (row) => row.hostId);
  return hostIds.map((id) => byHost.get(id) ?? []);
}

const dueRows = keep<Record<string, unknown>>(
  () => sql`select due.* from ${ASKED.table} a cross join lateral (
      select * from sitemaps s
      where s.host_id = a.host_id and s.next_fetch_at <= statement_timestamp()
      order by s.next_fetch_at limit ${sql.raw(String(DUE_AT_ONCE))}
    ) due order by due.host_id, due.next_fetch_at`,
);

function rowOf(row: Record<string, unknown>): SitemapRow {
  const sitemap: Record<string, unknown> = {};
  for (const { key, name, column } of COLUMNS) {
    const value = row[name];
    sitemap[key] = value === null ? null : column.mapFromDriverValue(value);
  }
  return sitemap as SitemapRow;
}

/** What a look writes; `admitted` is added. */
export type SitemapWrite = Pick<
  SitemapRow,
  | "id"
  | "hostId"
  | "nextFetchAt"
  | "fetchedAt"
  | "etag"
  | "lastModified"
  | "bodyHash"
  | "intervalS"
  | "failures"
  | "reason"
  | "entries"
  | "admitted"
> & {
  /** Of the host's turn: without it nothing is written. */
  readonly token: string;
};

const WRITTEN = new RowList<SitemapWrite>("written", {
  id: ["integer", (row) => row.id],
  host_id: ["integer", (row) => row.hostId],
  token: ["uuid", (row) => row.token],
  next_fetch_at: ["timestamptz", (row) => millis(row.nextFetchAt)],
  fetched_at: ["timestamptz", (row) => millis(row.fetchedAt)],
  etag: ["text", (row) => row.etag],
  last_modified: ["text", (row) => row.lastModified],
  body_hash: ["uuid", (row) => row.bodyHash],
  interval_s: ["integer", (row) => row.intervalS],
  failures: ["integer", (row) => row.failures],
  reason: ["text", (row) => row.reason],
  entries: ["integer", (row) => row.entries],
  admitted: ["bigint", (row) => row.admitted],
});

/** False: the turn is another's, and nothing was written. */
export async function writeSitemap(db: Db, row: SitemapWrite): Promise<boolean> {
  return (await writeRows(db, WRITTEN.values([row]))).length > 0;
}

const writeRows = keep(
  () => sql`update sitemaps s set next_fetch_at = w.next_fetch_at, fetched_at = w.fetched_at,
      etag = w.etag, last_modified = w.last_modified, body_hash = w.body_hash,
      interval_s = w.interval_s, failures = w.failures, reason = w.reason, entries = w.entries,
      admitted = s.admitted + w.admitted
    from ${WRITTEN.table} w join hosts h on h.id = w.host_id and h.turn_token = w.token
    where s.id = w.id
    returning s.id`,
);

/** A person named them: asked for now, of hosts that are seeded by it. */
export function seedSitemapRows(db: Db, keys: readonly string[]): Promise<void> {
  return inTransaction(db, async (tx) => {
    const rows = await run<{ host_id: number }>(
      tx,
      sql`update sitemaps set next_fetch_at = least(next_fetch_at, statement_timestamp())
        where key = any(${uuids(keys)}) returning host_id`,
    );
    const hosts = [...new Set(rows.map((row) => row.host_id))];
    await changeHosts(
      tx,
      hosts.map((hostId) => ({ hostId, due: "now", seeds: true, named: true }) as const),
    );
  });
}

/** For the console: sitemaps before feeds, in the order in which they were found. */
export async function sitemapsOfHost(db: Db, hostId: number, limit: number): Promise<SitemapRow[]> {
  return await db
    .select()
    .from(sitemaps)
    .where(sql`${sitemaps.hostId} = ${hostId}`)
    .orderBy(sitemaps.kind, sitemaps.id)
    .limit(limit);
}

export async function forgetSitemaps(db: Db, hostId: number): Promise<void> {
  await run(
    db,
    sql`with gone as (delete from sitemaps where host_id = ${hostId}::integer returning id),
      claims as (delete from lastmod_claims where sitemap_id in (select id from gone))
      delete from refused_sitemaps where sitemap_id in (select id from gone)`,
  );
}
