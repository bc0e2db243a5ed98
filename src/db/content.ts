import { sql } from "drizzle-orm";
import { bigints, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { inTransaction, run } from "./statement.ts";

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
  // Nearly every text is new: one statement, and a transaction only where some were taken.
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
  const rows = await run<Owner>(
    tx,
    sql`insert into content_owners (content_hash, url_id)
      select * from unnest(${uuids(wanted.map((claim) => claim.hash))},
        ${bigints(wanted.map((claim) => claim.urlId))})
      on conflict (content_hash) do nothing
      returning content_hash, url_id`,
  );
  return ownersOf(rows);
}

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

/** These URLs own no content any more: but for a hash given as kept, another may have it. */
export async function freeContent(
  db: Db,
  urls: readonly { readonly urlId: number; readonly keep?: string | null }[],
): Promise<void> {
  if (urls.length === 0) return;
  await run(
    db,
    sql`delete from content_owners o
      using unnest(${bigints(urls.map((url) => url.urlId))},
        ${uuids(urls.map((url) => url.keep ?? null))}) as f (url_id, keep)
      where o.url_id = f.url_id and o.content_hash is distinct from f.keep`,
  );
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
