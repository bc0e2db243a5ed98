import { sql } from "drizzle-orm";
import { bigints, integers, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { doubtIndex } from "./index-repairs.ts";
import { endLease } from "./settle-urls.ts";
import { run } from "./statement.ts";
import { retrying } from "./store-errors.ts";
import { buryWorkers, TAKEOVER_MIN_MS } from "./workers.ts";

export interface RescueOptions {
  /** A worker without a life sign for this long is dead. */
  readonly ttlMs: number;
  /** `CRAWL_DELAY_MS`: the least gap of every host. */
  readonly crawlDelayMs: number;
  /** A turn of a living worker that began this long ago is taken for forgotten by it. */
  readonly turnMaxMs: number;
}

/** Turns taken away in one transaction; the next call goes on. */
const TURNS_MAX = 500;

/**
 * Takes away the turns of dead workers. Each host waits one full delay from now; what was claimed
 * goes back unchanged, but for the rows that were being fetched: those are noted with the worker,
 * for `judgeSuspects`. A worker that lives, or ended in good order, leaves no suspects. Gives the
 * hosts, which may have another turn after the delay.
 */
export function rescueTurns(db: Db, options: RescueOptions): Promise<number[]> {
  return retrying(db, async (tx) => {
    await buryWorkers(tx, options.ttlMs);
    const turns = await lockDeadTurns(tx, options);
    if (turns.length === 0) return [];
    const lost = new Set(turns.flatMap((turn) => (turn.lost ? turn.token : [])));
    const claims = await lockClaims(tx, turns);
    const isSuspect = (claim: Claim) => claim.isFetching && lost.has(claim.token);
    await noteSuspects(tx, claims.filter(isSuspect));
    // Any of their pages may have been put in the index and not settled.
    await doubtIndex(
      tx,
      claims.map((claim) => claim.id),
    );
    await giveBack(
      tx,
      claims.filter((claim) => !isSuspect(claim)),
    );
    await freeHosts(tx, turns, options.crawlDelayMs);
    return turns.map((turn) => turn.id);
  });
}

interface DeadTurn {
  readonly id: number;
  readonly token: string;
  /** Its worker was given up; else it is unknown, or has forgotten the turn. */
  readonly lost: boolean;
}

/**
 * Workers that were buried, or are unknown; in order of ids, and past those another rescues now.
 */
async function lockDeadTurns(tx: Db, { turnMaxMs }: RescueOptions): Promise<DeadTurn[]> {
  return await run<DeadTurn>(
    tx,
    sql`select h.id, h.turn_token as token, exists (
        select from workers w where w.id = h.turn_worker and w.lost_at is not null
      ) as lost from hosts h
      where h.turn_token is not null and (
        h.turn_started_at < statement_timestamp() - ${turnMaxMs}::float8 * interval '1 ms'
        or not exists (
          select from workers w where w.id = h.turn_worker and w.lost_at is null
        )
      )
      order by h.id limit ${TURNS_MAX}::integer
      for no key update of h skip locked`,
  );
}

interface Claim {
  readonly id: number;
  readonly token: string;
  readonly isFetching: boolean;
}

/** Held until all is written: a worker that is only out of touch marks and settles on. */
async function lockClaims(tx: Db, turns: readonly DeadTurn[]): Promise<Claim[]> {
  return await run<Claim>(
    tx,
    sql`select id::float8, lease_token as token, fetching_at is not null as "isFetching" from urls
      where state = 'in_progress' and lease_token = any(${uuids(turns.map((turn) => turn.token))})
      order by id for no key update`,
  );
}

/**
 * Their leases are noted with their worker, for the host forgets who had its turn. Nobody writes
 * the row of a lost worker but those who rescue.
 */
async function noteSuspects(tx: Db, suspects: readonly Claim[]): Promise<void> {
  if (suspects.length === 0) return;
  await run(
    tx,
    sql`with noted as (
        select turn_worker as worker, jsonb_agg(turn_token) as tokens from hosts
        where turn_token = any(${uuids(suspects.map((claim) => claim.token))})
        group by turn_worker
      ), locked as materialized (
        select w.id from workers w where w.id in (select worker from noted)
        order by w.id for no key update
      )
      update workers w set report = coalesce(w.report, '{}') || jsonb_build_object(
        'suspects', coalesce(w.report -> 'suspects', '[]') || noted.tokens)
      from locked join noted on noted.worker = locked.id where w.id = locked.id`,
  );
}

async function giveBack(tx: Db, claims: readonly Claim[]): Promise<void> {
  await run(
    tx,
    sql`update urls set state = 'pending', ${endLease}
      where id = any(${bigints(claims.map((claim) => claim.id))})`,
  );
}

/** A host in back-off keeps its state; paused and blocked ones get no turn. */
async function freeHosts(tx: Db, turns: readonly DeadTurn[], crawlDelayMs: number): Promise<void> {
  const delayMs = sql`greatest(h.delay_ms, h.robots_delay_ms, h.slow_delay_ms,
    ${Math.max(crawlDelayMs, TAKEOVER_MIN_MS)}::integer)`;
  const at = sql`greatest(h.next_fetch_at, clock_timestamp() + ${delayMs} * interval '1 ms')`;
  await run(
    tx,
    sql`update hosts h set turn_token = null, turn_worker = null, turn_started_at = null,
        next_fetch_at = ${at},
        next_turn_at = case when h.state in ('paused', 'blocked') then null else ${at} end
      where h.id = any(${integers(turns.map((turn) => turn.id))})`,
  );
}
