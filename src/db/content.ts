import { sql } from "drizzle-orm";
import { bigints, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { RowList } from "./row-list.ts";
import { inTransaction, keep, RELAXED, run } from "./statement.ts";

export interface ContentClaim {
  /** Hash of the main text. */
  readonly hash: string;
  readonly urlId: number;
}

/**
 * Who of several URLs with the same main text keeps it: hash to id of the owner, decided by the
 * store, so that of two equal pages in flight one stays. An owner that neither has a document of
 * that text nor is being visited loses its right to the first who asks.
 */
export async function claimContent(
  db: Db,
  claims: readonly ContentClaim[],
): Promise<Map<string, number>> {
  const wanted = firstOfEach(claims);
  if (wanted.length === 0) return new Map();
  // Nearly every text is new: one statement, and a transaction only where some were taken. The
  // settle that follows waits for the disk; of one that never comes no owner is needed.
  const owners = await insertOwners(db, wanted);
  const rest = wanted.filter((claim) => !owners.has(claim.hash));
  if (rest.length === 0) return owners;
  const others = await inTransaction(db, (tx) => takeOver(tx, rest));
  return new Map([...owners, ...others]);
}

/** One claim a hash, the lowest id; sorted, so that two batches never wait in a circle. */
function firstOfEach(claims: readonly ContentClaim[]): ContentClaim[] {
  const byHash = new Map<string, ContentClaim>();
  for (const claim of claims) {
    const known = byHash.get(claim.hash);
    if (!known || claim.urlId < known.urlId) byHash.set(claim.hash, claim);
  }
  return [...byHash.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
}

async function insertOwners(tx: Db, wanted: readonly ContentClaim[]): Promise<Map<string, number>> {
  const rows = await enterOwners(tx, WANTED.values(wanted));
  return ownersOf(rows);
}

const WANTED = new RowList<ContentClaim>("wanted", {
  content_hash: ["uuid", (claim) => claim.hash],
  url_id: ["bigint", (claim) => claim.urlId],
});

const enterOwners = keep<Owner>(
  () => sql`with ${RELAXED}
    insert into content_owners (content_hash, url_id)
    select content_hash, url_id from relaxed, ${WANTED.table} w
    on conflict (content_hash) do nothing
    returning content_hash, url_id`,
);

/** Owners of the hashes that were taken, after idle ones have been replaced. */
async function takeOver(tx: Db, rest: readonly ContentClaim[]): Promise<Map<string, number>> {
  if (rest.length === 0) return new Map();
  const hashes = uuids(rest.map((claim) => claim.hash));
  const replaced = await run<Owner>(
    tx,
    sql`with taken as materialized (
        select o.content_hash, o.url_id from content_owners o
        where o.content_hash = any(${hashes}) order by o.content_hash for update
      )
      update content_owners o set url_id = c.url_id
      from taken join unnest(${hashes}, ${bigints(rest.map((claim) => claim.urlId))})
        as c (content_hash, url_id) using (content_hash)
      where o.content_hash = taken.content_hash and o.url_id <> c.url_id
        and not exists (select from documents d
          where d.url_id = o.url_id and d.content_hash = o.content_hash)
        and (select u.lease_token from urls u where u.id = o.url_id) is null
      returning o.content_hash, o.url_id`,
  );
  const kept = await run<Owner>(
    tx,
    sql`select content_hash, url_id from content_owners where content_hash = any(${hashes})`,
  );
  return new Map([...ownersOf(kept), ...ownersOf(replaced)]);
}

interface Owner {
  content_hash: string;
  url_id: string;
}

function ownersOf(rows: readonly Owner[]): Map<string, number> {
  return new Map(rows.map((row) => [row.content_hash, Number(row.url_id)]));
}

/** A URL that owns no content any more but, perhaps, that of this hash. */
export interface ContentFreed {
  readonly urlId: number;
  readonly keep?: string | null;
}

const FREED = new RowList<ContentFreed>("freed", {
  url_id: ["bigint", (row) => row.urlId],
  keep: ["uuid", (row) => row.keep ?? null],
});

const freeRows = keep(
  () => sql`delete from content_owners o using ${FREED.table} f
    where o.url_id = f.url_id and o.content_hash is distinct from f.keep`,
);

/** But for what they keep, another may have what these URLs owned. */
export async function freeContent(db: Db, rows: readonly ContentFreed[]): Promise<void> {
  if (rows.length > 0) await freeRows(db, FREED.values(rows));
}

export interface DuplicateSettled extends ContentClaim {
  readonly ownerId: number;
}

/**
 * Of duplicates that are settled in this transaction those whose owner has given the text up since
 * they asked for it: nobody else would tell them.
 */
export async function ownerless(
  db: Db,
  duplicates: readonly DuplicateSettled[],
): Promise<number[]> {
  if (duplicates.length === 0) return [];
  const rows = await run<{ id: string }>(
    db,
    sql`select d.id from unnest(
        ${bigints(duplicates.map((each) => each.urlId))},
        ${uuids(duplicates.map((each) => each.hash))},
        ${bigints(duplicates.map((each) => each.ownerId))}
      ) as d (id, hash, owner)
      where not exists (
        select from content_owners o where o.content_hash = d.hash and o.url_id = d.owner
      )`,
  );
  return rows.map((row) => Number(row.id));
}
