import type { Db } from "../db/connect.ts";
import { documentsAfter, documentsOf, type StoredDocument } from "../db/documents.ts";
import type { SearchIndex } from "../search/port.ts";
import { alignRanks } from "./host-ranks.ts";
import { mendThese } from "./mend-index.ts";
import { putEach } from "./restore.ts";

const BATCH = 200;

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
  // First, so that documents are ranked as they come.
  await alignRanks(deps);
  let after = 0;
  for (;;) {
    const batch = await documentsAfter(deps.db, after, BATCH);
    const refused = await putAll(deps, batch);
    result.documents += batch.length - refused;
    result.refused += refused;
    result.removed += await removeOrphans(deps, after, batch);
    progress(result.documents);
    if (batch.length < BATCH) return result;
    after = batch.at(-1)!.urlId;
  }
}

async function putAll(
  deps: { db: Db; index: SearchIndex },
  batch: readonly StoredDocument[],
): Promise<number> {
  let refused = 0;
  const superseded: number[] = [];
  for await (const { id, put } of putEach(deps.index, batch, { rebuilds: true })) {
    if (put.kind === "unavailable") throw new Error(`the index is not to be had: ${put.detail}`);
    if (put.kind === "refused") refused++;
    if (put.kind === "superseded") superseded.push(id);
  }
  // A crawl beside us was there first, or the clock was once ahead: only the store can tell.
  await mendThese(deps, superseded);
  return refused;
}

async function removeOrphans(
  deps: { db: Db; index: SearchIndex },
  after: number,
  batch: readonly StoredDocument[],
): Promise<number> {
  const last = batch.length < BATCH ? Number.POSITIVE_INFINITY : batch.at(-1)!.urlId;
  const there = new Set(batch.map((row) => row.urlId));
  let removed = 0;
  for (let from = after; ; ) {
    const entries = await deps.index.ids(from, BATCH);
    const orphans = entries.map(({ id }) => id).filter((id) => id <= last && !there.has(id));
    // A page that was put a moment ago may only just have been settled.
    const settled = new Set((await documentsOf(deps.db, orphans)).map((row) => row.urlId));
    const gone = orphans.filter((id) => !settled.has(id));
    await mendThese(deps, gone);
    removed += gone.length;
    from = entries.at(-1)?.id ?? last;
    if (entries.length < BATCH || from >= last) return removed;
  }
}
