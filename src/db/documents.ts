import { and, asc, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import { bigints } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { summariesOf } from "./enrichment.ts";
import { millis, RowList } from "./row-list.ts";
import { documents } from "./schema/documents.ts";
import { hosts } from "./schema/hosts.ts";
import { urls } from "./schema/urls.ts";
import { keep, run } from "./statement.ts";

export type DocumentRow = typeof documents.$inferSelect;

/** Stores what was understood from pages, one row a URL, in place of what was there. */
export async function saveDocuments(db: Db, rows: readonly DocumentRow[]): Promise<void> {
  if (rows.length === 0) return;
  await saveRows(db, savedValues(rows));
}

/** All texts of a list travel as one, of which each row names its piece. */
type Piece = DocumentRow & { readonly textAt: number };

const COLUMNS = {
  url_id: ["bigint", (row: Piece) => row.urlId],
  title: ["text", (row: Piece) => row.title],
  description: ["text", (row: Piece) => row.description],
  lang: ["text", (row: Piece) => row.lang],
  headings: ["text", (row: Piece) => row.headings],
  content_hash: ["uuid", (row: Piece) => row.contentHash],
  simhash: ["bigint", (row: Piece) => row.simhash],
  link_density: ["real", (row: Piece) => row.linkDensity],
  link_count: ["integer", (row: Piece) => row.linkCount],
  noarchive: ["boolean", (row: Piece) => row.noarchive],
  noai: ["boolean", (row: Piece) => row.noai],
  published_at: ["timestamptz", (row: Piece) => millis(row.publishedAt)],
  crawled_at: ["timestamptz", (row: Piece) => millis(row.crawledAt)],
  indexed_at: ["timestamptz", (row: Piece) => millis(row.indexedAt)],
  region_score: ["integer", (row: Piece) => row.regionScore],
  region: ["jsonb", (row: Piece) => (row.region === null ? null : JSON.stringify(row.region))],
  category: ["text", (row: Piece) => row.category],
} as const;

const SAVED = new RowList<Piece>("saved", {
  ...COLUMNS,
  text_at: ["integer", (row) => row.textAt],
  text_bytes: ["integer", (row) => row.text.byteLength],
});

/** Sorted, so that two batches never wait in a circle. */
export function savedValues(rows: readonly DocumentRow[]): Record<string, string> {
  const sorted = [...rows].sort((a, b) => a.urlId - b.urlId);
  let end = 1;
  const pieces = sorted.map((row) => {
    const textAt = end;
    end += row.text.byteLength;
    return { ...row, textAt };
  });
  const texts = Buffer.concat(sorted.map((row) => row.text)).toString("base64");
  return { ...SAVED.values(pieces), "saved.texts": texts };
}

/**
 * For `with`: stores the rows of `savedValues`, and lets those wait for enrichment whose text is
 * another than before, or that say anew what machines may do with it. `among`: a condition on each,
 * as `d`.
 */
export function saving(among: SQL): SQL {
  return sql`stored as (${storing(among)}), waiting as (
      insert into enrich_waits (url_id, content_hash)
      select n.url_id, n.content_hash from stored n
        left join documents b on b.url_id = n.url_id
      where b.url_id is null or b.noai <> n.noai
        or b.content_hash is distinct from n.content_hash
      on conflict (url_id) do update set content_hash = excluded.content_hash
    )`;
}

function storing(among: SQL): SQL {
  const names = Object.keys(COLUMNS);
  const set = [...names, "text"]
    .filter((name) => name !== "url_id")
    .map((name) => `${name} = excluded.${name}`);
  return sql`insert into documents (${sql.raw(names.join(", "))}, text)
    select ${sql.raw(names.map((name) => `d.${name}`).join(", "))},
      substring((select decode(${sql.placeholder("saved.texts")}::text, 'base64'))
        from d.text_at for d.text_bytes)
    from ${SAVED.table} d where ${among}
    on conflict (url_id) do update set ${sql.raw(set.join(", "))}
    returning url_id, content_hash, noai`;
}

const saveRows = keep(() => sql`with ${saving(sql`true`)} select 1`);

export async function readDocument(db: Db, urlId: number): Promise<DocumentRow | null> {
  const [row] = await db
    .select(getTableColumns(documents))
    .from(documents)
    .where(eq(documents.urlId, urlId));
  return row ?? null;
}

export type StoredDocument = DocumentRow & {
  readonly url: string;
  readonly host: string;
  readonly summary: string | null;
};

/** Documents in order of their ids, with URL and host: what `reindex` puts. */
export async function documentsAfter(
  db: Db,
  afterId: number,
  limit: number,
): Promise<StoredDocument[]> {
  const rows = await placedDocuments(db)
    .where(gt(documents.urlId, afterId))
    .orderBy(asc(documents.urlId))
    .limit(limit);
  return await withSummaries(db, rows);
}

/** Of these URLs, as far as they have a document; in order of their ids. */
export async function documentsOf(db: Db, urlIds: readonly number[]): Promise<StoredDocument[]> {
  if (urlIds.length === 0) return [];
  const rows = await placedDocuments(db)
    .where(sql`${documents.urlId} = any(${bigints(urlIds)})`)
    .orderBy(asc(documents.urlId));
  return await withSummaries(db, rows);
}

const placedDocuments = (db: Db) =>
  db
    .select({ ...getTableColumns(documents), url: urls.url, host: hosts.name })
    .from(documents)
    .innerJoin(urls, eq(urls.id, documents.urlId))
    .innerJoin(hosts, eq(hosts.id, urls.hostId));

async function withSummaries(
  db: Db,
  rows: readonly Omit<StoredDocument, "summary">[],
): Promise<StoredDocument[]> {
  const summaries = await summariesOf(
    db,
    rows.filter(({ noai }) => !noai),
  );
  return rows.map((row) => ({ ...row, summary: summaries.get(row.urlId) ?? null }));
}

export interface DocumentMark {
  readonly urlId: number;
  readonly contentHash: string | null;
  readonly publishedAt: Date | null;
  readonly crawledAt: Date;
}

/** Ids and versions in order: what `reconcile` holds against the index. */
export async function documentMarksAfter(
  db: Db,
  afterId: number,
  limit: number,
): Promise<DocumentMark[]> {
  const { urlId, contentHash, publishedAt, crawledAt } = documents;
  return await db
    .select({ urlId, contentHash, publishedAt, crawledAt })
    .from(documents)
    .where(gt(urlId, afterId))
    .orderBy(asc(urlId))
    .limit(limit);
}

export async function countDocuments(db: Db): Promise<number> {
  const [row] = await run<{ n: number }>(db, sql`select count(*)::float8 as n from documents`);
  return row!.n;
}

export async function countDocumentsOfHost(db: Db, hostId: number): Promise<number> {
  const rows = await db
    .select({ n: sql<number>`count(*)::float8` })
    .from(documents)
    .innerJoin(urls, and(eq(urls.id, documents.urlId), eq(urls.hostId, hostId)));
  return rows[0]!.n;
}
