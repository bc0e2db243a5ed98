import type { Db } from "../db/connect.ts";
import { documentsOf, type StoredDocument } from "../db/documents.ts";
import { fieldsOf } from "../parse/fields.ts";
import type { IndexDocument } from "../search/document.ts";
import type { PutOptions, PutResult, SearchIndex } from "../search/port.ts";
import { analyse } from "../text/forward.ts";
import { unpackText } from "../text/packed.ts";
import { packAnalysis } from "../text/packed-analysis.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { indexDocument } from "./index-document.ts";

const BATCH = 200;
/** Documents analysed in one go on this thread: a few milliseconds. */
const SLICE = 10;

/**
 * Puts the documents of these URLs again as the store has them, whatever the index holds, as far as
 * they are still there. What the index refuses it will refuse again. Null: they are put.
 */
export async function restoreDocuments(
  { db, index }: { db: Db; index: SearchIndex },
  ids: readonly number[],
): Promise<Unavailable | null> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = await documentsOf(db, ids.slice(at, at + BATCH));
    for await (const { put } of putEach(index, batch, { isTruth: true })) {
      if (put.kind === "unavailable") return put;
    }
  }
  return null;
}

type Unavailable = Extract<PutResult, { kind: "unavailable" }>;

/** What the store keeps of pages, as the index wants it. */
export async function* putEach(
  index: SearchIndex,
  batch: readonly StoredDocument[],
  options: PutOptions,
): AsyncGenerator<{ id: number; put: PutResult }> {
  for (let at = 0; at < batch.length; at += SLICE) {
    const puts = batch.slice(at, at + SLICE).map(async (row) => {
      return { id: row.urlId, put: await index.put(documentOf(row), options) };
    });
    yield* await Promise.all(puts);
  }
}

function documentOf(row: StoredDocument): IndexDocument {
  const { url, host, lang, title, text, headings } = row;
  const read = { url: url as CanonicalUrl, title, headings, text: unpackText(text) };
  const analysis = packAnalysis(analyse(fieldsOf(read), lang));
  return { ...indexDocument(row, { url, host }, analysis), summary: row.summary };
}
