import { getTableColumns, sql } from "drizzle-orm";
import type { UrlRow } from "./admit-urls.ts";
import { bigints } from "./bulk.ts";
import { changeHosts, dueNow, type HostChange } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { increment } from "./counters.ts";
import { wakeDependants } from "./dependants.ts";
import { forgetEnrichment } from "./enrichment.ts";
import { wishFor } from "./index-repairs.ts";
import { RowList } from "./row-list.ts";
import { urls } from "./schema/urls.ts";
import { assignments, SETTLED_COLUMNS, type SettledColumns } from "./settle-urls.ts";
import { inTransaction, keep, run } from "./statement.ts";

/** A step that nobody's visit brought about: by an operator, or a submission of a known URL. */
export interface UrlMove {
  readonly before: UrlRow;
  readonly state: UrlRow["state"];
  readonly columns: Partial<SettledColumns & Pick<UrlRow, "priority" | "hops">>;
  /** Its host gets a turn when it is due; 0: in the first lane, for a person wants it. */
  readonly lane?: 0 | 1;
  readonly removesDocument?: boolean;
  readonly wakesDependants?: boolean;
}

/**
 * Writes moves, each only if its row is still as it was read (state, lease, visits); documents go
 * and hosts are woken in the same transaction. Gives the ids that moved. Claims and leases are not
 * made or ended here.
 */
export function applyUrls(db: Db, moves: readonly UrlMove[]): Promise<Set<number>> {
  if (moves.length === 0) return Promise.resolve(new Set());
  const sorted = [...moves].sort((a, b) => a.before.id - b.before.id);
  return inTransaction(db, async (tx) => {
    await lockUrls(
      tx,
      sorted.map((move) => move.before.id),
    );
    const rows = await moveRows(tx, MOVES.values(sorted.map(movedOf)));
    const moved = new Set(rows.map((row) => Number(row.id)));
    const those = (does: (move: UrlMove) => boolean | undefined) =>
      sorted
        .filter((move) => does(move) && moved.has(move.before.id))
        .map(({ before }) => before.id);
    const gone = await deleteDocuments(
      tx,
      those((move) => move.removesDocument),
    );
    const hostOf = new Map(sorted.map(({ before }) => [before.id, before.hostId]));
    const dependants = await wakeDependants(
      tx,
      those((move) => move.wakesDependants),
    );
    await changeHosts(tx, [
      ...wakes(sorted, moved),
      ...dependants.map(dueNow),
      ...regionGone(gone, hostOf),
    ]);
    return moved;
  });
}

const movedOf = ({ before, state, columns }: UrlMove) => ({
  ...before,
  ...columns,
  state,
  fromState: before.state,
  fromLease: before.leaseToken,
  fromVisits: before.visits,
});

const MOVES = new RowList<ReturnType<typeof movedOf>>("moves", {
  ...SETTLED_COLUMNS,
  priority: ["integer", (row) => row.priority],
  hops: ["integer", (row) => row.hops],
  from_state: ["url_state", (row) => row.fromState],
  from_lease: ["uuid", (row) => row.fromLease],
  from_visits: ["integer", (row) => row.fromVisits],
});

const moveRows = keep<{ id: string }>(
  () => sql`update urls u set ${assignments}, priority = s.priority, hops = s.hops
    from ${MOVES.table} s
    where u.id = s.id and u.state = s.from_state and u.visits = s.from_visits
      and u.lease_token is not distinct from s.from_lease
    returning u.id`,
);

/** In order of their ids, so that two bulk actions never wait for each other in a circle. */
async function lockUrls(tx: Db, ids: readonly number[]): Promise<void> {
  const list = bigints(ids);
  await run(tx, sql`select 1 from urls where id = any(${list}) order by id for no key update`);
}

function wakes(moves: readonly UrlMove[], moved: ReadonlySet<number>): HostChange[] {
  return moves.flatMap(({ before, state, columns, lane }) => {
    const due = columns.nextCrawlAt ?? before.nextCrawlAt;
    if (lane === undefined || state !== "pending" || !due || !moved.has(before.id)) return [];
    return [{ hostId: before.hostId, due, lane, named: lane === 0 }];
  });
}

export interface Removed {
  readonly ids: number[];
  /** Of these a document has left the store: it must leave the index too. */
  readonly documents: number[];
}

/**
 * Removes rows in any state but `in_progress`, with documents and ownership of content, and counts
 * them as removed; URLs that pointed at them become due. History stays until it is pruned.
 */
export function deleteUrls(db: Db, ids: readonly number[]): Promise<Removed> {
  if (ids.length === 0) return Promise.resolve({ ids: [], documents: [] });
  const list = bigints(ids);
  return inTransaction(db, async (tx) => {
    const rows = await run<{ id: string; host_id: number }>(
      tx,
      sql`with locked as materialized (
          select id from urls where id = any(${list}) and state <> 'in_progress'
          order by id for update
        )
        delete from urls u using locked where u.id = locked.id returning u.id, u.host_id`,
    );
    const removed = rows.map((row) => Number(row.id));
    const gone = await deleteDocuments(tx, removed);
    const woken = await wakeDependants(tx, removed);
    const hostOf = new Map(rows.map((row) => [Number(row.id), row.host_id]));
    await changeHosts(tx, [
      ...rows.map((row) => ({ hostId: row.host_id, urls: -1 })),
      ...woken.map(dueNow),
      ...regionGone(gone, hostOf),
    ]);
    await increment(tx, { removed: removed.length });
    return { ids: removed, documents: gone.map(({ urlId }) => urlId) };
  });
}

export interface GoneDocument {
  readonly urlId: number;
  readonly regionScore: number | null;
}

/**
 * Documents and ownership of content of these URLs go, and in the same statement it is written down
 * that they must leave the index too. Gives those that had a document: their hosts have so much
 * less of region scores, which the caller tells them with its other changes.
 */
export async function deleteDocuments(tx: Db, urlIds: readonly number[]): Promise<GoneDocument[]> {
  if (urlIds.length === 0) return [];
  const list = bigints(urlIds);
  await run(tx, sql`delete from content_owners where url_id = any(${list})`);
  const rows = await run<{ url_id: string; region_score: number | null }>(
    tx,
    sql`with gone as (
          delete from documents where url_id = any(${list}) returning url_id, region_score
        ), wished as (${wishFor(sql`select url_id from gone`)})
      select url_id, region_score from gone`,
  );
  const gone = rows.map((row) => ({ urlId: Number(row.url_id), regionScore: row.region_score }));
  await forgetEnrichment(
    tx,
    gone.map(({ urlId }) => urlId),
  );
  return gone;
}

/** For `changeHosts`. */
export function regionGone(
  gone: readonly GoneDocument[],
  hostOf: ReadonlyMap<number, number>,
): HostChange[] {
  return gone.flatMap(({ urlId, regionScore }) =>
    regionScore === null
      ? []
      : [{ hostId: hostOf.get(urlId)!, regionSum: -regionScore, regionCount: -1 }],
  );
}

/** Whole rows by id, in no order. */
export async function readUrls(db: Db, ids: readonly number[]): Promise<UrlRow[]> {
  if (ids.length === 0) return [];
  return await db
    .select(getTableColumns(urls))
    .from(urls)
    .where(sql`${urls.id} = any(${bigints(ids)})`);
}

export async function readUrlByKey(db: Db, key: string): Promise<UrlRow | null> {
  const [row] = await db
    .select(getTableColumns(urls))
    .from(urls)
    .where(sql`${urls.key} = ${key}::uuid`);
  return row ?? null;
}
