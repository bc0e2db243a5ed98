import { type SQL, sql } from "drizzle-orm";
import { bigints, booleans, integers, texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

/**
 * The outbox to the index: of these URLs it is to say what the store says. A wish is written in the
 * transaction that makes the two differ, or may have, and stays until the index was looked at.
 */
export interface Repair {
  readonly urlId: number;
  /** As the store wrote it: with it a wish is known from a later one of the same URL. */
  readonly wantedAt: string;
}

/** What was under way to the index when a lease ended has landed by then, or never does. */
const LANDED = sql`interval '30 s'`;
/** A URL that is being visited is looked at again after this: its own settle comes first. */
const LATER = sql`interval '1 s'`;

const now = sql`clock_timestamp()`;

/** For `with gone as (…)` of a statement that removes documents; `ids`: a query of one column. */
export function wishFor(ids: SQL): SQL {
  return sql`insert into index_repairs (url_id, wanted_at)
    select id, ${now} from (${ids}) as w (id) on conflict do nothing`;
}

/**
 * The same of URLs that lose their lease while a visit may be under way: a look now, and one when
 * what that visit sent has landed.
 */
export function wishTwiceFor(ids: SQL): SQL {
  return sql`insert into index_repairs (url_id, wanted_at)
    select id, ${now} + after from (${ids}) as w (id)
      cross join (values (interval '0'), (${LANDED})) as looks (after)
    on conflict do nothing`;
}

/** The same of rows in hand. */
export async function doubtIndex(db: Db, urlIds: readonly number[]): Promise<void> {
  if (urlIds.length === 0) return;
  await run(db, wishTwiceFor(sql`select * from unnest(${bigints(urlIds)})`));
}

export async function wantRepairs(db: Db, urlIds: readonly number[]): Promise<void> {
  if (urlIds.length === 0) return;
  await run(db, wishFor(sql`select * from unnest(${bigints(urlIds)})`));
}

export async function dueRepairs(db: Db, limit: number): Promise<Repair[]> {
  const rows = await run<RepairRow>(
    db,
    sql`select url_id, wanted_at from index_repairs where wanted_at <= statement_timestamp()
      order by wanted_at limit ${limit}::integer`,
  );
  return rows.map(repairOf);
}

/** Of these URLs. */
export async function repairsOf(db: Db, urlIds: readonly number[]): Promise<Repair[]> {
  if (urlIds.length === 0) return [];
  const rows = await run<RepairRow>(
    db,
    sql`select url_id, wanted_at from index_repairs where url_id = any(${bigints(urlIds)})
      and wanted_at <= statement_timestamp()`,
  );
  return rows.map(repairOf);
}

interface RepairRow {
  url_id: string;
  wanted_at: string;
}

const repairOf = ({ url_id, wanted_at }: RepairRow): Repair => ({
  urlId: Number(url_id),
  wantedAt: wanted_at,
});

/** What the store says of a URL, of one moment. */
export interface StoredMark {
  readonly urlId: number;
  /** Null: there is no such URL. */
  readonly visits: number | null;
  readonly isLeased: boolean;
  /** Of its document; null: it has none. */
  readonly version: { readonly contentHash: string | null; readonly crawledAt: number } | null;
}

/** One of each, in no order. */
export async function storedMarks(db: Db, urlIds: readonly number[]): Promise<StoredMark[]> {
  if (urlIds.length === 0) return [];
  const rows = await run<{
    id: string;
    visits: number | null;
    leased: boolean;
    content_hash: string | null;
    crawled_ms: number | null;
  }>(
    db,
    sql`select w.id, u.visits, u.lease_token is not null as leased, d.content_hash,
        floor(extract(epoch from d.crawled_at) * 1000)::float8 as crawled_ms
      from unnest(${bigints([...new Set(urlIds)])}) as w (id)
        left join urls u on u.id = w.id
        left join documents d on d.url_id = u.id`,
  );
  return rows.map(({ id, visits, leased: isLeased, content_hash: contentHash, crawled_ms }) => ({
    urlId: Number(id),
    visits,
    isLeased,
    version: crawled_ms === null ? null : { contentHash, crawledAt: crawled_ms },
  }));
}

/** A wish that was looked at; `visits` as its URL had them before. */
export interface LookedAt extends Repair {
  readonly visits: number | null;
  /** The index was made to say what the store said. */
  readonly isDone: boolean;
}

/**
 * Ends the wishes that are done, if no visit of their URLs began or was settled meanwhile: it may
 * have written to the index between our look at the store and ours at the index. The others come
 * again, one a URL.
 */
export async function endRepairs(db: Db, looks: readonly LookedAt[]): Promise<void> {
  if (looks.length === 0) return;
  await run(
    db,
    sql`with looked as materialized (
        select s.url_id, s.wanted_at, s.done and u.lease_token is null
          and u.visits is not distinct from s.visits as done
        from unnest(${bigints(looks.map((look) => look.urlId))},
          ${texts(looks.map((look) => look.wantedAt))}::timestamptz[],
          ${integers(looks.map((look) => look.visits))},
          ${booleans(looks.map((look) => look.isDone))}) as s (url_id, wanted_at, visits, done)
        left join urls u on u.id = s.url_id
      ), gone as (
        delete from index_repairs r using looked l
        where r.url_id = l.url_id and r.wanted_at = l.wanted_at
        returning r.url_id, l.done
      )
      insert into index_repairs (url_id, wanted_at)
      select url_id, ${now} + ${LATER} from gone where not done group by url_id
      on conflict do nothing`,
  );
}
