import type { Db } from "../db/connect.ts";
import { type DocumentMark, documentMarksAfter } from "../db/documents.ts";
import type { SearchIndex } from "../search/port.ts";
import { reindexDocuments } from "./reindex.ts";

/** Index against store. */
export interface Reconciliation {
  /** In the store, not in the index. */
  missing: number;
  /** In the index, not in the store. */
  orphan: number;
  /** Another version in the index than in the store. */
  stale: number;
}

interface Difference {
  missing: number[];
  orphan: number[];
  stale: number[];
}

const BATCH = 1_000;

/**
 * Walks both in order of their ids, so that any size takes the same memory. While a crawl runs what
 * differs is looked at once more: a page between its put and its settle is no fault.
 */
export async function reconcile(
  deps: { db: Db; index: SearchIndex },
  { repair = false } = {},
): Promise<Reconciliation> {
  const total: Reconciliation = { missing: 0, orphan: 0, stale: 0 };
  for await (const found of differences(deps)) {
    const real = await confirmed(deps, found);
    total.missing += real.missing.length;
    total.orphan += real.orphan.length;
    total.stale += real.stale.length;
    if (!repair) continue;
    if (real.orphan.length > 0) await deps.index.remove(real.orphan);
    await reindexDocuments(deps, [...real.missing, ...real.stale]);
  }
  return total;
}

async function* differences({
  db,
  index,
}: {
  db: Db;
  index: SearchIndex;
}): AsyncGenerator<Difference> {
  let after = 0;
  for (;;) {
    const [stored, indexed] = await Promise.all([
      documentMarksAfter(db, after, BATCH),
      index.ids(after, BATCH),
    ]);
    if (stored.length === 0 && indexed.length === 0) return;
    const end = Math.min(
      stored.length === BATCH ? stored.at(-1)!.urlId : Number.POSITIVE_INFINITY,
      indexed.length === BATCH ? indexed.at(-1)!.id : Number.POSITIVE_INFINITY,
    );
    yield compare(
      stored.filter((mark) => mark.urlId <= end),
      indexed.filter((entry) => entry.id <= end),
    );
    if (end === Number.POSITIVE_INFINITY) return;
    after = end;
  }
}

function compare(
  stored: readonly Pick<DocumentMark, "urlId" | "contentHash">[],
  indexed: readonly { id: number; contentHash: string | null }[],
): Difference {
  const hashes = new Map(indexed.map((entry) => [entry.id, entry.contentHash]));
  const found: Difference = { missing: [], orphan: [], stale: [] };
  for (const { urlId, contentHash } of stored) {
    if (!hashes.has(urlId)) found.missing.push(urlId);
    else if (hashes.get(urlId) !== contentHash) found.stale.push(urlId);
    hashes.delete(urlId);
  }
  found.orphan.push(...hashes.keys());
  return found;
}

const LOOKS = 3;
const BETWEEN_LOOKS_MS = 400;

/** What still differs after a settle has had the time to commit. */
async function confirmed(
  deps: { db: Db; index: SearchIndex },
  found: Difference,
): Promise<Difference> {
  let real = found;
  for (let look = 1; look < LOOKS && sizeOf(real) > 0; look++) {
    await new Promise((done) => setTimeout(done, BETWEEN_LOOKS_MS));
    real = await again(deps, real);
  }
  return real;
}

function sizeOf({ missing, orphan, stale }: Difference): number {
  return missing.length + orphan.length + stale.length;
}

async function again(
  { db, index }: { db: Db; index: SearchIndex },
  found: Difference,
): Promise<Difference> {
  const ids = [...found.missing, ...found.orphan, ...found.stale].sort((a, b) => a - b);
  const [first, last] = [ids[0]!, ids.at(-1)!];
  const wanted = new Set(ids);
  const [stored, indexed] = await Promise.all([
    documentMarksAfter(db, first - 1, 2 * BATCH),
    index.ids(first - 1, 2 * BATCH),
  ]);
  return compare(
    stored.filter(({ urlId }) => urlId <= last && wanted.has(urlId)),
    indexed.filter(({ id }) => id <= last && wanted.has(id)),
  );
}
