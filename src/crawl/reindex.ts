import type { Db } from "../db/connect.ts";
import { documentsAfter, documentsOf, type StoredDocument } from "../db/documents.ts";
import { fieldsOf } from "../parse/fields.ts";
import type { IndexDocument } from "../search/document.ts";
import type { SearchIndex } from "../search/port.ts";
import { analyse } from "../text/forward.ts";
import { unpackText } from "../text/packed.ts";
import type { CanonicalUrl } from "../url/canonical.ts";

const BATCH = 200;
/** Documents analysed in one go on this thread: a few milliseconds. */
const SLICE = 10;

export interface Reindexed {
  /** Documents put. */
  documents: number;
  /** Entries of the index that no document stands behind any more. */
  removed: number;
  /** Documents that the index refused. */
  refused: number;
}

/**
 * Rebuilds the index from the store: every document is put again, then what no document stands
 * behind is removed. Searchable throughout, and a crawl may go on beside it.
 */
export async function reindex(
  deps: { db: Db; index: SearchIndex },
  progress: (done: number) => void = () => {},
): Promise<Reindexed> {
  const result: Reindexed = { documents: 0, removed: 0, refused: 0 };
  let after = 0;
  for (;;) {
    const batch = await documentsAfter(deps.db, after, BATCH);
    const refused = await putAll(deps.index, batch);
    result.documents += batch.length - refused;
    result.refused += refused;
    result.removed += await removeOrphans(deps, after, batch);
    progress(result.documents);
    if (batch.length < BATCH) return result;
    after = batch.at(-1)!.urlId;
  }
}

/** Puts the documents of these URLs again, as far as they are still there. */
export async function reindexDocuments(
  { db, index }: { db: Db; index: SearchIndex },
  ids: readonly number[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    await putAll(index, await documentsOf(db, ids.slice(at, at + BATCH)));
  }
}

async function putAll(index: SearchIndex, batch: readonly StoredDocument[]): Promise<number> {
  let refused = 0;
  for (let at = 0; at < batch.length; at += SLICE) {
    const puts = batch.slice(at, at + SLICE).map((row) => index.put(indexDocument(row)));
    for (const put of await Promise.all(puts)) {
      if (put.kind === "unavailable") throw new Error(`the index is not to be had: ${put.detail}`);
      if (put.kind === "refused") refused++;
    }
  }
  return refused;
}

async function removeOrphans(
  { db, index }: { db: Db; index: SearchIndex },
  after: number,
  batch: readonly StoredDocument[],
): Promise<number> {
  const last = batch.length < BATCH ? Number.POSITIVE_INFINITY : batch.at(-1)!.urlId;
  const there = new Set(batch.map((row) => row.urlId));
  let removed = 0;
  for (let from = after; ; ) {
    const entries = await index.ids(from, BATCH);
    const orphans = entries.map(({ id }) => id).filter((id) => id <= last && !there.has(id));
    // A page that was put a moment ago may only just have been settled.
    const settled = new Set((await documentsOf(db, orphans)).map((row) => row.urlId));
    const gone = orphans.filter((id) => !settled.has(id));
    if (gone.length > 0) await index.remove(gone);
    removed += gone.length;
    from = entries.at(-1)?.id ?? last;
    if (entries.length < BATCH || from >= last) return removed;
  }
}

function indexDocument(row: StoredDocument): IndexDocument {
  const { urlId, url, host, lang, title, description, text, headings } = row;
  const read = { url: url as CanonicalUrl, title, headings, text: unpackText(text) };
  const fields = fieldsOf(read);
  return {
    id: urlId,
    url,
    host,
    lang,
    title,
    description,
    text,
    publishedAt: row.publishedAt,
    crawledAt: row.crawledAt,
    contentHash: row.contentHash,
    simhash: row.simhash === null ? null : String(row.simhash),
    linkDensity: row.linkDensity,
    noarchive: row.noarchive,
    analysis: analyse(fields, lang),
  };
}
