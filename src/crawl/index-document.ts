import type { DocumentRow } from "../db/documents.ts";
import type { IndexDocument } from "../search/document.ts";
import type { PackedAnalysis } from "../text/packed-analysis.ts";

/** As it was read; when it came to be indexed is not known yet. */
export type ReadDocument = Omit<DocumentRow, "indexedAt">;

/**
 * What the index is given of a page: the same whether it was read just now or comes from the store.
 */
export function indexDocument(
  row: ReadDocument,
  { url, host }: { url: string; host: string },
  analysis: PackedAnalysis,
): IndexDocument {
  return {
    id: row.urlId,
    url,
    host,
    lang: row.lang,
    title: row.title,
    description: row.description,
    text: row.text,
    publishedAt: row.publishedAt,
    crawledAt: row.crawledAt,
    contentHash: row.contentHash,
    simhash: row.simhash === null ? null : String(row.simhash),
    // The store keeps four bytes of it.
    linkDensity: Math.fround(row.linkDensity),
    noarchive: row.noarchive,
    regionScore: row.regionScore === null ? null : row.regionScore / 1_000,
    locations: row.region?.locations ?? [],
    category: row.category,
    analysis,
  };
}
