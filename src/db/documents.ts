import { and, asc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import { bigints, booleans, byteas, integers, reals, texts, times, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { documents } from "./schema/documents.ts";
import { hosts } from "./schema/hosts.ts";
import { urls } from "./schema/urls.ts";
import { run } from "./statement.ts";

export type DocumentRow = typeof documents.$inferSelect;

/** Stores what was understood from pages, one row a URL, in place of what was there. */
export async function saveDocuments(db: Db, rows: readonly DocumentRow[]): Promise<void> {
  if (rows.length === 0) return;
  const sorted = [...rows].sort((a, b) => a.urlId - b.urlId);
  const set = COLUMNS.filter((name) => name !== "url_id").map(
    (name) => `${name} = excluded.${name}`,
  );
  await run(
    db,
    sql`insert into documents (${sql.raw(COLUMNS.join(", "))})
      select * from unnest(${columnLists(sorted)})
      on conflict (url_id) do update set ${sql.raw(set.join(", "))}`,
  );
}

const COLUMNS = [
  "url_id",
  "title",
  "description",
  "lang",
  "headings",
  "text",
  "content_hash",
  "simhash",
  "link_density",
  "link_count",
  "noarchive",
  "noai",
  "published_at",
  "crawled_at",
  "indexed_at",
  "enriched_at",
];

function columnLists(rows: readonly DocumentRow[]) {
  return sql.join(
    [
      bigints(rows.map((row) => row.urlId)),
      texts(rows.map((row) => row.title)),
      texts(rows.map((row) => row.description)),
      texts(rows.map((row) => row.lang)),
      texts(rows.map((row) => row.headings)),
      byteas(rows.map((row) => row.text)),
      uuids(rows.map((row) => row.contentHash)),
      bigints(rows.map((row) => row.simhash)),
      reals(rows.map((row) => row.linkDensity)),
      integers(rows.map((row) => row.linkCount)),
      booleans(rows.map((row) => row.noarchive)),
      booleans(rows.map((row) => row.noai)),
      times(rows.map((row) => row.publishedAt)),
      times(rows.map((row) => row.crawledAt)),
      times(rows.map((row) => row.indexedAt)),
      times(rows.map((row) => row.enrichedAt)),
    ],
    sql`, `,
  );
}

export async function readDocument(db: Db, urlId: number): Promise<DocumentRow | null> {
  const [row] = await db
    .select(getTableColumns(documents))
    .from(documents)
    .where(eq(documents.urlId, urlId));
  return row ?? null;
}

export type StoredDocument = DocumentRow & { readonly url: string; readonly host: string };

/** Documents in order of their ids, with URL and host: what `reindex` puts. */
export async function documentsAfter(
  db: Db,
  afterId: number,
  limit: number,
): Promise<StoredDocument[]> {
  return await db
    .select({ ...getTableColumns(documents), url: urls.url, host: hosts.name })
    .from(documents)
    .innerJoin(urls, eq(urls.id, documents.urlId))
    .innerJoin(hosts, eq(hosts.id, urls.hostId))
    .where(gt(documents.urlId, afterId))
    .orderBy(asc(documents.urlId))
    .limit(limit);
}

/** Of these URLs, as far as they have a document; in order of their ids. */
export async function documentsOf(db: Db, urlIds: readonly number[]): Promise<StoredDocument[]> {
  if (urlIds.length === 0) return [];
  return await db
    .select({ ...getTableColumns(documents), url: urls.url, host: hosts.name })
    .from(documents)
    .innerJoin(urls, eq(urls.id, documents.urlId))
    .innerJoin(hosts, eq(hosts.id, urls.hostId))
    .where(sql`${documents.urlId} = any(${bigints(urlIds)})`)
    .orderBy(asc(documents.urlId));
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

/** Documents that await enrichment. */
export async function countUnenriched(db: Db): Promise<number> {
  const [row] = await run<{ n: number }>(
    db,
    sql`select count(*)::float8 as n from documents where enriched_at is null`,
  );
  return row!.n;
}

export async function countDocumentsOfHost(db: Db, hostId: number): Promise<number> {
  const rows = await db
    .select({ n: sql<number>`count(*)::float8` })
    .from(documents)
    .innerJoin(urls, and(eq(urls.id, documents.urlId), eq(urls.hostId, hostId)));
  return rows[0]!.n;
}
