import type { Db } from "../db/connect.ts";
import {
  dueRepairs,
  endRepairs,
  type Repair,
  repairsOf,
  type StoredMark,
  storedMarks,
  wantRepairs,
} from "../db/index-repairs.ts";
import { IndexUnavailable, type IndexVersion, type SearchIndex } from "../search/port.ts";
import { restoreDocuments } from "./restore.ts";

interface MendDeps {
  db: Db;
  index: SearchIndex;
}

export type Mended =
  | { kind: "mended" }
  /** The wishes stay, and with them the promise. */
  | { kind: "unavailable"; detail: string };

const MENDED: Mended = { kind: "mended" };

const BATCH = 500;
/** In one round; most of what is looked at needs nothing. */
const BATCHES_MAX = 10;

/** Makes the index say what the store says, wherever that is due. */
export async function mendDue(deps: MendDeps): Promise<Mended> {
  for (let batches = 1; ; batches++) {
    const due = await dueRepairs(deps.db, BATCH);
    const mended = await mend(deps, due);
    if (mended.kind === "unavailable" || due.length < BATCH || batches >= BATCHES_MAX) {
      return mended;
    }
  }
}

/** The same of these URLs, now: what was wished for them in a transaction that is over. */
export async function mendNow(deps: MendDeps, urlIds: readonly number[]): Promise<Mended> {
  for (let at = 0; at < urlIds.length; at += BATCH) {
    const mended = await mend(deps, await repairsOf(deps.db, urlIds.slice(at, at + BATCH)));
    if (mended.kind === "unavailable") return mended;
  }
  return MENDED;
}

/** For who has seen that they differ: throws when the index cannot be had. */
export async function mendThese(deps: MendDeps, urlIds: readonly number[]): Promise<void> {
  await wantRepairs(deps.db, urlIds);
  const mended = await mendNow(deps, urlIds);
  if (mended.kind === "unavailable")
    throw new Error(`the index is not to be had: ${mended.detail}`);
}

/**
 * What is being visited is left to its own settle, and looked at after it: its page may be in the
 * index before its row knows of it.
 */
async function mend(deps: MendDeps, repairs: readonly Repair[]): Promise<Mended> {
  const stored = await storedMarks(
    deps.db,
    repairs.map(({ urlId }) => urlId),
  );
  const free = new Map(stored.flatMap((mark) => (mark.isLeased ? [] : [[mark.urlId, mark]])));
  const mended = await align(deps, [...free.values()]);
  if (mended.kind === "unavailable") return mended;
  await endRepairs(
    deps.db,
    repairs.map((repair) => {
      const mark = free.get(repair.urlId);
      return { ...repair, visits: mark?.visits ?? null, isDone: mark !== undefined };
    }),
  );
  return MENDED;
}

async function align(deps: MendDeps, marks: readonly StoredMark[]): Promise<Mended> {
  try {
    const versions = await deps.index.versions(marks.map(({ urlId }) => urlId));
    const found = new Map(versions.map((version) => [version.id, version]));
    const differ = marks.filter((mark) => !isSameVersion(mark.version, found.get(mark.urlId)));
    const wanted = (hasDocument: boolean) =>
      differ.filter(({ version }) => (version !== null) === hasDocument).map(({ urlId }) => urlId);
    const orphans = wanted(false);
    const removed = orphans.length > 0 ? await deps.index.remove(orphans) : MENDED;
    if (removed.kind === "unavailable") return removed;
    return (await restoreDocuments(deps, wanted(true))) ?? MENDED;
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    return { kind: "unavailable", detail: error.message };
  }
}

export function isSameVersion(
  stored: StoredMark["version"],
  indexed: IndexVersion | undefined,
): boolean {
  if (stored === null || indexed === undefined) return stored === null && indexed === undefined;
  return stored.contentHash === indexed.contentHash && stored.crawledAt === indexed.crawledAt;
}
