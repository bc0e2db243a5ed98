import { inArray, type SQL, sql } from "drizzle-orm";
import type { PackedText } from "../text/packed.ts";
import { plain } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { RowList } from "./row-list.ts";
import { documentSummaries } from "./schema/enrichment.ts";
import { keep, run } from "./statement.ts";

/** A document that awaits enrichment, and of which text; see schema/enrichment.ts. */
export interface Wait {
  readonly urlId: number;
  readonly contentHash: string | null;
}

export interface WaitingDocument extends Wait {
  /** Of its host, when that has a rank to be told. */
  readonly rankedHostId: number | null;
  /** The page says that machines may not use it. */
  readonly refuses: boolean;
  /** Of this very text, as far as one was made. */
  readonly summary: string | null;
  /** Its text is long enough for one, and may be given to a language model by what it says. */
  readonly wantsSummary: boolean;
}

/** In order of their ids: what came first comes first, mostly. */
export async function waitingDocuments(db: Db, limit: number): Promise<WaitingDocument[]> {
  const rows = await readWaiting(db, { limit });
  return rows.map(({ url_id, content_hash: contentHash, ranked_host_id, wants, ...row }) => ({
    ...row,
    urlId: Number(url_id),
    contentHash,
    rankedHostId: ranked_host_id,
    wantsSummary: wants,
  }));
}

const readWaiting = keep<{
  url_id: string;
  content_hash: string | null;
  ranked_host_id: number | null;
  refuses: boolean;
  summary: string | null;
  wants: boolean;
}>(
  () => sql`select w.url_id, w.content_hash, 
      case when h.authority > 0 or h.region_count > 0 then h.id end as ranked_host_id,
      coalesce(d.noai, false) as refuses,
      case when not d.noai and s.content_hash = w.content_hash then s.summary end as summary,
      coalesce(not d.noai and d.content_hash = w.content_hash
        and s.content_hash is distinct from w.content_hash, false) as wants
    from (select url_id, content_hash from enrich_waits
        order by url_id limit ${sql.placeholder("limit")}::integer) w
      left join documents d on d.url_id = w.url_id
      left join urls u on u.id = d.url_id
      left join hosts h on h.id = u.host_id
      left join lateral (select * from document_summaries where url_id = w.url_id limit 1) s on true
    order by w.url_id`,
);

/** Sorted, so that two of them never wait for each other in a circle. */
const valuesOf = (waits: readonly Wait[]) =>
  WAITS.values(waits.toSorted((one, other) => one.urlId - other.urlId));

const WAITS = new RowList<Wait>("waits", {
  url_id: ["bigint", ({ urlId }) => urlId],
  content_hash: ["uuid", ({ contentHash }) => contentHash],
});

/**
 * Ends these waits, as far as they are still for the same text. A row that a settle has in hand is
 * left: who waits for nobody is never in a circle of those who wait.
 */
export async function endWaits(db: Db, waits: readonly Wait[]): Promise<void> {
  if (waits.length > 0) await endRows(db, valuesOf(waits));
}

const ending = (table: SQL): SQL => sql`with free as materialized (
    select w.url_id from ${WAITS.table} e join ${table} w
      on w.url_id = e.url_id and w.content_hash is not distinct from e.content_hash
    for update of w skip locked
  )
  delete from ${table} where url_id = any(array(select url_id from free))`;

const endRows = keep(() => ending(sql`enrich_waits`));

/** These wait for a summary from now on. Called before their other wait ends. */
export async function awaitSummaries(db: Db, waits: readonly Wait[]): Promise<void> {
  if (waits.length > 0) await awaitRows(db, valuesOf(waits));
}

const awaitRows = keep(
  () => sql`insert into summary_waits (url_id, content_hash, due_at)
    select url_id, content_hash, clock_timestamp() from ${WAITS.table} w
    on conflict (url_id) do update set attempts = 0, due_at = excluded.due_at,
      content_hash = excluded.content_hash`,
);

export interface DueSummary {
  readonly urlId: number;
  readonly contentHash: string;
  /** That came to nothing so far. */
  readonly attempts: number;
  /** Null: there is no such document, it has another text by now, or refuses machine use. */
  readonly page: {
    readonly url: string;
    readonly title: string;
    readonly lang: string | null;
    readonly text: PackedText;
  } | null;
}

/** The longest due first. */
export async function dueSummaries(db: Db, limit: number): Promise<DueSummary[]> {
  const rows = await readDue(db, { limit });
  return rows.map(({ url_id, content_hash: contentHash, attempts, url, title, lang, text }) => ({
    urlId: Number(url_id),
    contentHash,
    attempts,
    page: url === null ? null : { url, title, lang, text },
  }));
}

const readDue = keep<{
  url_id: string;
  content_hash: string;
  attempts: number;
  url: string | null;
  title: string;
  lang: string | null;
  text: PackedText;
}>(
  () => sql`select w.url_id, w.content_hash, w.attempts, u.url, d.title, d.lang, d.text
    from (select * from summary_waits where due_at <= statement_timestamp()
        order by due_at, url_id limit ${sql.placeholder("limit")}::integer) w
      left join documents d on d.url_id = w.url_id and d.content_hash = w.content_hash
        and not d.noai
      left join urls u on u.id = d.url_id
    order by w.due_at, w.url_id`,
);

/** What was made of these very texts, by id. */
export async function summariesOf(db: Db, texts: readonly Wait[]): Promise<Map<number, string>> {
  if (texts.length === 0) return new Map();
  const hashes = new Map(texts.map(({ urlId, contentHash }) => [urlId, contentHash]));
  const rows = await readSummaries(db, { ids: plain([...hashes.keys()]) });
  const own = rows.filter((row) => hashes.get(Number(row.url_id)) === row.content_hash);
  return new Map(own.map((row) => [Number(row.url_id), row.summary]));
}

const readSummaries = keep<{ url_id: string; content_hash: string; summary: string }>(
  () => sql`select url_id, content_hash, summary from document_summaries
    where url_id = any(${sql.placeholder("ids")}::bigint[])`,
);

/** False: there is no such document any more, or it refuses machine use by now. */
export async function saveSummary(
  db: Db,
  { urlId, contentHash, summary }: { urlId: number; contentHash: string; summary: string },
): Promise<boolean> {
  const rows = await run(
    db,
    sql`insert into document_summaries (url_id, content_hash, summary)
      select url_id, content_hash, ${summary}::text from documents
      where url_id = ${urlId}::bigint and content_hash = ${contentHash}::uuid and not noai
      on conflict (url_id) do update set content_hash = excluded.content_hash,
        summary = excluded.summary
      returning url_id`,
  );
  return rows.length > 0;
}

/** Pages that refuse machine use by now: what was made of them is forgotten. */
export async function dropSummaries(db: Db, urlIds: readonly number[]): Promise<void> {
  if (urlIds.length === 0) return;
  await db.delete(documentSummaries).where(inArray(documentSummaries.urlId, [...urlIds]));
}

export async function endSummaryWaits(db: Db, waits: readonly Wait[]): Promise<void> {
  if (waits.length > 0) await endSummaryRows(db, valuesOf(waits));
}

const endSummaryRows = keep(() => ending(sql`summary_waits`));

/** An answer was of no use: it is asked for again later. */
export async function putOffSummary(
  db: Db,
  { urlId, contentHash, attempts }: Wait & { readonly attempts: number },
  afterMs: number,
): Promise<void> {
  await run(
    db,
    sql`update summary_waits set attempts = ${attempts}::smallint,
        due_at = clock_timestamp() + ${afterMs}::float8 * interval '1 ms'
      where url_id = ${urlId}::bigint and content_hash = ${contentHash}::uuid`,
  );
}

/** Nobody makes summaries any more: some of the waits for one end. How many. */
export async function dropSummaryWaits(db: Db, limit: number): Promise<number> {
  const rows = await run(
    db,
    sql`with free as materialized (
        select url_id from summary_waits order by url_id limit ${limit}::integer
        for update skip locked
      )
      delete from summary_waits where url_id = any(array(select url_id from free))
      returning url_id`,
  );
  return rows.length;
}

/** What of enrichment is there to be done now? One look at an end of each list. */
export async function enrichmentDue(db: Db): Promise<{ waits: boolean; summaries: boolean }> {
  const [row] = await run<{ waits: boolean; summaries: boolean }>(
    db,
    sql`select exists (select from enrich_waits) as waits,
      exists (select from summary_waits where due_at <= statement_timestamp()) as summaries`,
  );
  return row!;
}

/** Documents that await enrichment, of whatever kind. */
export async function countEnrichBacklog(db: Db): Promise<number> {
  const [row] = await run<{ n: number }>(
    db,
    sql`select ((select count(*) from enrich_waits) + (select count(*) from summary_waits s
        where not exists (select from enrich_waits w where w.url_id = s.url_id)))::float8 as n`,
  );
  return row!.n;
}

/** With their documents, in one transaction. */
export async function forgetEnrichment(tx: Db, urlIds: readonly number[]): Promise<void> {
  if (urlIds.length > 0) await forgetRows(tx, { ids: plain(urlIds) });
}

const forgetRows = keep(() => {
  const among = sql`where url_id = any(${sql.placeholder("ids")}::bigint[])`;
  return sql`with waits as (delete from enrich_waits ${among}),
      of_summaries as (delete from summary_waits ${among})
    delete from document_summaries ${among}`;
});
