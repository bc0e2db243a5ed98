import type { Db } from "../db/connect.ts";
import { type DocumentMark, documentMarksAfter } from "../db/documents.ts";
import { storedMarks } from "../db/index-repairs.ts";
import type { IndexEntry, SearchIndex } from "../search/port.ts";
import { alignRanks } from "./host-ranks.ts";
import { isSameVersion, mendThese } from "./mend-index.ts";

/** Index against store. */
export interface Reconciliation {
  /** In the store, not in the index. */
  missing: number;
  /** In the index, not in the store. */
  orphan: number;
  /** Another version in the index than in the store. */
  stale: number;
}

interface ReconcileDeps {
  db: Db;
  index: SearchIndex;
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
  deps: ReconcileDeps,
  { repair = false } = {},
): Promise<Reconciliation> {
  const total: Reconciliation = { missing: 0, orphan: 0, stale: 0 };
  for await (const found of differences(deps)) {
    const real = await confirmed(deps, idsOf(found));
    total.missing += real.missing.length;
    total.orphan += real.orphan.length;
    total.stale += real.stale.length;
    if (!repair) continue;
    await mendThese(deps, idsOf(real));
  }
  // No fault by itself: the index lags behind what each page does to its host.
  if (repair) await alignRanks(deps);
  return total;
}

async function* differences({ db, index }: ReconcileDeps): AsyncGenerator<Difference> {
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

/**
 * A text without a hash and with a date of its own may be another one though both say the same: it
 * is taken to differ, for `confirmed` looks closer.
 */
function compare(stored: readonly DocumentMark[], indexed: readonly IndexEntry[]): Difference {
  const entries = new Map(indexed.map((entry) => [entry.id, entry]));
  const found: Difference = { missing: [], orphan: [], stale: [] };
  for (const { urlId, contentHash, publishedAt, crawledAt } of stored) {
    const entry = entries.get(urlId);
    const isTold = contentHash !== null || publishedAt === null;
    const date = (publishedAt ?? crawledAt).getTime();
    const isSame = isTold && entry?.contentHash === contentHash && entry.date === date;
    if (!entry) found.missing.push(urlId);
    else if (!isSame) found.stale.push(urlId);
    entries.delete(urlId);
  }
  found.orphan.push(...entries.keys());
  return found;
}

const LOOKS = 3;
const BETWEEN_LOOKS_MS = 400;

/** What differs at a closer look, and still does after a settle has had the time to commit. */
async function confirmed(deps: ReconcileDeps, ids: readonly number[]): Promise<Difference> {
  let real = await closer(deps, ids);
  for (let look = 1; look < LOOKS && idsOf(real).length > 0; look++) {
    await new Promise((done) => setTimeout(done, BETWEEN_LOOKS_MS));
    real = await closer(deps, idsOf(real));
  }
  return real;
}

const idsOf = ({ missing, orphan, stale }: Difference): number[] => [
  ...missing,
  ...orphan,
  ...stale,
];

async function closer({ db, index }: ReconcileDeps, ids: readonly number[]): Promise<Difference> {
  const found: Difference = { missing: [], orphan: [], stale: [] };
  if (ids.length === 0) return found;
  const [stored, versions] = await Promise.all([storedMarks(db, ids), index.versions(ids)]);
  const indexed = new Map(versions.map((version) => [version.id, version]));
  for (const { urlId, version } of stored) {
    const entry = indexed.get(urlId);
    if (isSameVersion(version, entry)) continue;
    if (!version) found.orphan.push(urlId);
    else (entry ? found.stale : found.missing).push(urlId);
  }
  return found;
}
