import { sql } from "drizzle-orm";
import { bigints, texts } from "./bulk.ts";
import { type ChainLink, chainsFrom, endOf } from "./chains.ts";
import { wakeHosts } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { BLOCKED_LOOK } from "./due.ts";
import { inTransaction, run } from "./statement.ts";

/** More rows than this that point at one set of pages are left to their own next look. */
const DEPENDANTS_MAX = 10_000;
/**
 * Of those that shared a text which is given up so many are asked who still has it. A site may have
 * thousands of one text, all of which change with the day.
 */
const ASKED_MAX = 100;
/** Redirects in a row between a page and what it points at. */
const REDIRECTS_MAX = 16;

/**
 * The edge "target left" for URLs that are done because they are duplicates of, or canonically are,
 * one of these, or what redirects to one: they are pending and due; those of blocked hosts once the
 * block goes. Gives their hosts, which the caller wakes with the other changes of its transaction.
 */
export async function wakeDependants(db: Db, urlIds: readonly number[]): Promise<number[]> {
  return await wake(db, await dependantsOf(db, urlIds));
}

/** The same for those alone that had the main text which these URLs have no more; for some. */
export async function wakeDuplicates(db: Db, urlIds: readonly number[]): Promise<number[]> {
  const rows = await pointingAt(db, urlIds, ["duplicate"]);
  const asked = [...Map.groupBy(rows, (row) => row.target_id).values()].flatMap((some) =>
    some.slice(0, ASKED_MAX),
  );
  return await wake(
    db,
    asked.map(({ id }) => Number(id)),
  );
}

/** The same for these very URLs, as far as they are duplicates or canonicals. */
export async function wakeThese(db: Db, urlIds: readonly number[]): Promise<number[]> {
  return await wake(db, urlIds);
}

/**
 * The same for those that these URLs leave without a document when they end without one of their
 * own: all that counts on them if they lead nowhere, themselves among it; one page if in a circle.
 */
export async function wakeStranded(db: Db, ended: readonly number[]): Promise<number[]> {
  const dead: ChainLink[] = [];
  const staying: number[] = [];
  for (const chain of (await chainsFrom(db, ended)).values()) {
    const end = endOf(chain);
    if (end.kind === "dead") dead.push(...chain);
    if (end.kind === "loop") staying.push(end.stays);
  }
  const ids = [...new Set(dead.map(({ id }) => id))];
  const dependants = await dependantsOf(db, ids);
  const pointing = dead.filter(({ leadsOn, reason }) => leadsOn && reason !== "redirected");
  return await wake(db, [...dependants, ...pointing.map(({ id }) => id), ...staying]);
}

async function dependantsOf(db: Db, urlIds: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  const seen = new Set(urlIds);
  for (let at = [...seen], steps = 0; at.length > 0 && steps < REDIRECTS_MAX; steps++) {
    const rows = await pointingAt(db, at, ["duplicate", "canonical", "redirected"]);
    const redirects: number[] = [];
    for (const row of rows) {
      const id = Number(row.id);
      if (row.reason !== "redirected") found.push(id);
      else if (!seen.has(id)) redirects.push(id);
    }
    for (const id of redirects) seen.add(id);
    at = redirects;
  }
  return found;
}

interface PointingRow {
  id: string;
  target_id: string;
  reason: string;
}

async function pointingAt(
  db: Db,
  urlIds: readonly number[],
  reasons: readonly ("duplicate" | "canonical" | "redirected")[],
): Promise<PointingRow[]> {
  if (urlIds.length === 0) return [];
  return await run<PointingRow>(
    db,
    sql`select u.id, u.target_id, u.reason from urls u
      where u.target_id = any(${bigints(urlIds)}) and u.state = 'done'
        and u.reason = any(${texts([...reasons])})
      limit ${DEPENDANTS_MAX}::integer`,
  );
}

async function wake(db: Db, ids: readonly number[]): Promise<number[]> {
  const some = [...new Set(ids)].slice(0, DEPENDANTS_MAX);
  if (some.length === 0) return [];
  const rows = await run<{ host_id: number; state: string }>(
    db,
    sql`with waiting as materialized (
        select u.id, h.state = 'blocked' as blocked from urls u join hosts h on h.id = u.host_id
        where u.id = any(${bigints(some)}) and u.state = 'done'
          and u.reason in ('duplicate', 'canonical')
        for no key update of u skip locked
      )
      update urls u set
        state = case when blocked then u.state else 'pending' end,
        attempts = case when blocked then u.attempts else 0 end,
        crashes = case when blocked then u.crashes else 0 end,
        reason = case when blocked then u.reason end,
        target_id = case when blocked then u.target_id end,
        next_crawl_at = least(u.next_crawl_at, statement_timestamp()
          + case when blocked then ${BLOCKED_LOOK} else interval '0' end)
      from waiting where u.id = waiting.id
      returning u.host_id, u.state`,
  );
  const woken = rows.filter(({ state }) => state === "pending");
  return [...new Set(woken.map((row) => row.host_id))];
}

export interface StrandedSlice {
  /** Where the next slice begins; null: this was the last. */
  readonly next: number | null;
  /** Hosts that were woken. */
  readonly hosts: number[];
}

/**
 * Looks through `limit` URLs that are done behind `afterId` for those that count on a page which is
 * not there, and wakes them: what two transactions did to each other at the same moment, and pages
 * of hosts that died. What comes within a day by itself is left alone.
 */
export function wakeStrandedAfter(db: Db, afterId: number, limit: number): Promise<StrandedSlice> {
  return inTransaction(db, async (tx) => {
    const rows = await run<{ id: string; suspect: boolean }>(
      tx,
      sql`select s.id, s.points and coalesce(t.fine, false) is false as suspect
        from (
          select id, target_id, reason in ('duplicate', 'canonical')
            and next_crawl_at > statement_timestamp() + ${BLOCKED_LOOK} as points
          from urls where state = 'done' and id > ${afterId}::bigint
          order by id limit ${limit}::integer
        ) s left join lateral (
          select u.interval_s is not null as fine from urls u where u.id = s.target_id limit 1
        ) t on true
        order by s.id`,
    );
    const suspects = rows.filter((row) => row.suspect).map((row) => Number(row.id));
    const lost: number[] = [];
    for (const [root, chain] of await chainsFrom(tx, suspects)) {
      const end = endOf(chain);
      if (end.kind !== "open") lost.push(end.kind === "loop" ? end.stays : root);
    }
    const hosts = await wake(tx, lost);
    await wakeHosts(tx, hosts);
    return { next: rows.length < limit ? null : Number(rows.at(-1)!.id), hosts };
  });
}
