import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { soonestDue } from "./due-levels.ts";
import { ADVISORY_LOCK } from "./locks.ts";
import { blocks } from "./schema/hosts.ts";
import { inTransaction, run } from "./statement.ts";

export type BlockRow = typeof blocks.$inferSelect;
export type Block = Pick<BlockRow, "name" | "kind" | "reason">;

export function listBlocks(db: Db): Promise<BlockRow[]> {
  return db.select().from(blocks).orderBy(blocks.name);
}

/** What `reason` says of a paused host, and keeps of it behind a block. */
export const pausedBy = (actor: string): string => `paused by ${actor}`;

/**
 * A block takes the place of a pause in `state`; the words of the pause stand first in `reason`
 * meanwhile, so that unblocking gives it back.
 */
const pauseOf = sql`case when h.state in ('paused', 'blocked')
  then substring(h.reason from '^(paused by .*?)(?:; blocked by .*)?$') end`;

/** Hosts are blocked by what this table says, whichever blocks come and go. */
export const isCovered = (name: SQL, domain: SQL): SQL => sql`exists (select from blocks b
  where (b.kind = 'host' and b.name = ${name}) or (b.kind = 'domain' and b.name = ${domain}))`;

/** Enters a block, and blocks its hosts; named again, the later reason stands. Gives their ids. */
export function addBlock(db: Db, block: Block): Promise<number[]> {
  const { name, kind, reason } = block;
  return inTransaction(db, async (tx) => {
    await alone(tx);
    await tx
      .insert(blocks)
      .values(block)
      .onConflictDoUpdate({ target: blocks.name, set: { kind, reason } });
    const rows = await run<{ id: number }>(
      tx,
      sql`with ${lockedUnder(kind, name)}
        update hosts h set state = 'blocked', next_turn_at = null,
          state_at = case when h.state = 'blocked' then h.state_at else clock_timestamp() end,
          reason = concat_ws('; ', ${pauseOf}, ${reason}::text)
        from locked where h.id = locked.id returning h.id`,
    );
    return rows.map((row) => row.id);
  });
}

export type Unblocked =
  | { readonly kind: "unblocked"; readonly hostIds: number[] }
  | { readonly kind: "not blocked" };

/**
 * Removes a block. Its hosts that no other block covers may be visited again, or are paused as they
 * were before; gives their ids.
 */
export function removeBlock(db: Db, name: string): Promise<Unblocked> {
  return inTransaction(db, async (tx) => {
    await alone(tx);
    const [gone] = await run<{ kind: BlockRow["kind"] }>(
      tx,
      sql`delete from blocks where name = ${name} returning kind`,
    );
    if (!gone) return { kind: "not blocked" };
    const due = sql`(select greatest(at, h.next_fetch_at) from (select ${soonestDue(sql`h.id`)})
      t (at) where at is not null)`;
    const rows = await run<{ id: number }>(
      tx,
      sql`with ${lockedUnder(gone.kind, name)}
        update hosts h set failures = 0, state_at = clock_timestamp(), reason = ${pauseOf},
          state = case when ${pauseOf} is null then 'active' else 'paused' end::host_state,
          next_turn_at = case when ${pauseOf} is null then ${due} end
        from locked where h.id = locked.id and h.state = 'blocked'
          and not ${isCovered(sql`h.name`, sql`h.domain`)}
        returning h.id`,
    );
    return { kind: "unblocked", hostIds: rows.map((row) => row.id) };
  });
}

export async function isBlocked(db: Db, name: string): Promise<boolean> {
  const rows = await run(db, sql`select from blocks where name = ${name} limit 1`);
  return rows.length > 0;
}

/** In order of their ids, as everyone locks hosts. */
function lockedUnder(kind: BlockRow["kind"], name: string): SQL {
  const column = sql.raw(kind === "host" ? "name" : "domain");
  return sql`locked as materialized (
    select id from hosts where ${column} = ${name} order by id for no key update)`;
}

/** One block comes or goes at a time: what covers a host must not change between two looks. */
async function alone(tx: Db): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(${ADVISORY_LOCK.blocks}::bigint)`);
}
