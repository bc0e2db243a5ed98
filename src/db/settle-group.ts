import { sql } from "drizzle-orm";
import { type AdmitRow, admitUrls } from "./admit-urls.ts";
import { bigints, uuids } from "./bulk.ts";
import { dueNow, type HostChange } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { freeContent, wakeDependants } from "./content.ts";
import { increment } from "./counters.ts";
import { type DocumentRow, saveDocuments } from "./documents.ts";
import { deleteDocuments } from "./operate-urls.ts";
import { type SettleRow, settleUrls } from "./settle-urls.ts";
import { run } from "./statement.ts";
import { retrying } from "./store-errors.ts";

/** All that the end of one visit writes. */
export interface SettleItem {
  readonly row: SettleRow;
  readonly hostId: number;
  /** Turn token: the host's counts are fenced by it. */
  readonly token: string;
  /** Added to the host's counts. */
  readonly pages: number;
  readonly bytes: number;
  /** First success of the URL: what `crawled` counts. */
  readonly firstCrawl: boolean;
  readonly document: DocumentRow | null;
  readonly removesDocument: boolean;
  /** The page has another main text now: what it owned before is free. */
  readonly freesContent: boolean;
  /** Duplicates of it, and pages that point at it, come due. */
  readonly wakesDependants: boolean;
  readonly candidates: readonly AdmitRow[];
  /** Key of the URL that a redirect or canonical points at, admitted or not. */
  readonly targetKey: string | null;
}

export interface SettledGroup {
  /** Ids whose lease was still theirs; of the others nothing was written. */
  readonly settled: ReadonlySet<number>;
  /** Something became due now. */
  readonly woke: boolean;
}

/**
 * The settles of many visits in one transaction: rows first, each fenced by its lease token, then
 * documents, content owners and candidates of those that came back, hosts last.
 */
export function settleGroup(db: Db, items: readonly SettleItem[]): Promise<SettledGroup> {
  return retrying(db, async (tx) => {
    const settled = await settleUrls(
      tx,
      items.map((item) => item.row),
    );
    const back = items.filter((item) => settled.has(item.row.id));
    await writeDocuments(tx, back);
    const dependants = await wakeDependants(
      tx,
      back.filter((item) => item.wakesDependants).map((item) => item.row.id),
    );
    const changes: HostChange[] = back.map(({ hostId, token, pages, bytes }) => ({
      hostId,
      token,
      pages,
      bytes,
    }));
    const candidates = back.flatMap((item) => item.candidates);
    const results = await admitUrls(tx, candidates, [...changes, ...dependants.map(dueNow)]);
    await linkTargets(tx, back);
    await increment(tx, { crawled: back.filter((item) => item.firstCrawl).length });
    const admitted = results.some((result) => result.kind === "admitted");
    return { settled, woke: admitted || dependants.length > 0 };
  });
}

async function writeDocuments(tx: Db, back: readonly SettleItem[]): Promise<void> {
  await saveDocuments(
    tx,
    back.flatMap((item) => item.document ?? []),
  );
  await deleteDocuments(
    tx,
    back.filter((item) => item.removesDocument).map((item) => item.row.id),
  );
  await freeContent(
    tx,
    back
      .filter((item) => item.freesContent && !item.removesDocument)
      .map(({ row }) => ({ urlId: row.id, keep: row.contentHash })),
  );
}

/** A target may be known for long, or admitted just now: its id is learned last. */
async function linkTargets(tx: Db, back: readonly SettleItem[]): Promise<void> {
  const pointing = back.filter((item) => item.targetKey !== null);
  if (pointing.length === 0) return;
  await run(
    tx,
    sql`update urls u set target_id = t.id
      from unnest(${bigints(pointing.map((item) => item.row.id))},
        ${uuids(pointing.map((item) => item.targetKey))}) as s (id, key)
      join urls t on t.key = s.key
      where u.id = s.id and u.id <> t.id`,
  );
}
