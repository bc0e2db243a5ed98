import { getTableColumns, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { soonestDue } from "./due-levels.ts";
import type { HostRow, HostState } from "./hosts.ts";
import { hosts } from "./schema/hosts.ts";
import { releaseUrls } from "./settle-urls.ts";
import { inTransaction, run } from "./statement.ts";

export interface TurnRequest {
  readonly hostId: number;
  readonly workerId: string;
  /** Fence of the turn, and lease token of what it claims. */
  readonly token: string;
  readonly ttlMs: number;
}

export type Turn =
  | { readonly kind: "taken"; readonly host: HostRow }
  /** Another worker has it, or had it and is not yet rescued. */
  | { readonly kind: "held" }
  /** Put off, perhaps since the job was made; `at` null: nothing is to come. */
  | { readonly kind: "not due"; readonly at: Date | null }
  | { readonly kind: "not runnable"; readonly state: HostState }
  /** There is no such host. */
  | { readonly kind: "missing" }
  /** The asking worker itself has no fresh life sign. */
  | { readonly kind: "lost" };

/**
 * Takes the turn lease of a host that is due and has none; by the store's clock. The host comes
 * with the lane it stood in; its row goes to the last one, so that who puts it in front while the
 * turn runs is not forgotten at its end.
 */
export async function takeTurn(db: Db, request: TurnRequest): Promise<Turn> {
  const [taken] = await db
    .update(hosts)
    .set({
      lane: 1,
      state: sql`case when ${hosts.state} = 'parked' then 'active' else ${hosts.state} end`,
      turnToken: sql`${request.token}::uuid`,
      turnWorker: sql`${request.workerId}::uuid`,
      turnStartedAt: sql`clock_timestamp()`,
      nextTurnAt: null,
    })
    .from(
      sql`(select id, lane from hosts where id = ${request.hostId}::integer for no key update) old`,
    )
    .where(
      sql`${hosts.id} = old.id and ${hosts.turnToken} is null
        and ${hosts.state} not in ('paused', 'blocked')
        and ${hosts.nextTurnAt} <= clock_timestamp()
        and ${isAlive(request)}`,
    )
    .returning({ ...getTableColumns(hosts), laneBefore: sql<number>`old.lane` })
    .prepare("take_turn")
    .execute();
  if (!taken) return await whyNot(db, request);
  const { laneBefore: lane, ...host } = taken;
  return { kind: "taken", host: { ...host, lane } };
}

/** Undoes a turn that may have been taken though nobody heard of it; nothing when it was not. */
export async function abandonTurn(db: Db, hostId: number, token: string): Promise<void> {
  await run(
    db,
    sql`update hosts h set turn_token = null, turn_worker = null, turn_started_at = null,
        next_turn_at = case when h.state in ('paused', 'blocked') then null
          else clock_timestamp() end
      where h.id = ${hostId}::integer and h.turn_token = ${token}::uuid`,
  );
}

function isAlive({ workerId, ttlMs }: TurnRequest) {
  return sql`exists (select from workers w where w.id = ${workerId}::uuid and w.lost_at is null
    and w.beat_at > clock_timestamp() - ${ttlMs}::float8 * interval '1 ms')`;
}

async function whyNot(db: Db, request: TurnRequest): Promise<Turn> {
  const [row] = await run<{
    held: boolean;
    state: HostState;
    at: string | null;
    due: boolean;
    alive: boolean;
  }>(
    db,
    sql`select turn_token is not null as held, state, next_turn_at as at,
        next_turn_at <= clock_timestamp() as due, ${isAlive(request)} as alive
      from hosts where id = ${request.hostId}`,
  );
  if (!row) return { kind: "missing" };
  if (!row.alive) return { kind: "lost" };
  if (row.state === "paused" || row.state === "blocked") {
    return { kind: "not runnable", state: row.state };
  }
  // Due and free by now: it was held a moment ago, and the scheduler will come back.
  if (row.held || row.due) return { kind: "held" };
  return { kind: "not due", at: row.at === null ? null : new Date(row.at) };
}

export interface TurnEnd {
  readonly hostId: number;
  readonly token: string;
  /** `active` becomes `parked` when nothing of the host is due. */
  readonly state: "active" | "waiting_robots" | "backing_off" | "dead" | "out_of_region";
  readonly reason: string | null;
  /** Not before this; an active host not before one of its URLs is due either. */
  readonly nextTurnAt: Date;
  readonly nextFetchAt: Date;
  /** Failed turns in a row. */
  readonly failures: number;
  /** Added to the host's count. */
  readonly throttles: number;
  readonly robotsDelayMs: number | null;
  readonly slowDelayMs: number | null;
  /** 0: a turn of the first lane that could not do its work; its host stays in front. */
  readonly lane?: 0 | 1;
}

export type TurnEnded =
  | { readonly kind: "ended"; readonly state: HostState; readonly nextTurnAt: Date | null }
  /** Another has taken the turn over: nothing was written. */
  | { readonly kind: "lost" };

/**
 * Ends a turn: whatever it still holds goes back, so its last settle comes before. What an operator
 * did to the host meanwhile stays: a paused or blocked host gets no next turn.
 */
export function endTurn(db: Db, end: TurnEnd): Promise<TurnEnded> {
  return inTransaction(db, async (tx) => {
    await releaseUrls(tx, end.token);
    const [host] = await run<{ state: HostState; at: string | null }>(tx, endStatement(end));
    if (!host) return { kind: "lost" };
    const nextTurnAt = host.at === null ? null : new Date(host.at);
    return { kind: "ended", state: host.state, nextTurnAt };
  });
}

function endStatement(end: TurnEnd) {
  const isHalted = sql`h.state in ('paused', 'blocked')`;
  const at = (time: Date) => sql`${time.toISOString()}::timestamptz`;
  const next = sql`greatest(${at(end.nextTurnAt)}, soonest.due)`;
  const isActive = sql`${end.state}::host_state = 'active'`;
  const isParked = sql`${isActive} and (soonest.due is null or soonest.due > clock_timestamp())`;
  const state = sql`case when ${isHalted} then h.state when ${isParked} then 'parked'
    else ${end.state}::host_state end`;
  return sql`update hosts h set
      state = ${state},
      state_at = case when h.state = ${state} then h.state_at else clock_timestamp() end,
      reason = case when ${isHalted} then h.reason else ${end.reason} end,
      next_turn_at = case when ${isHalted} then null
        when ${isActive} and soonest.due is null then null
        when ${isActive} then ${next} else ${at(end.nextTurnAt)} end,
      next_fetch_at = greatest(h.next_fetch_at, ${at(end.nextFetchAt)}),
      failures = ${end.failures}, throttles = h.throttles + ${end.throttles},
      robots_delay_ms = ${end.robotsDelayMs}::integer, slow_delay_ms = ${end.slowDelayMs}::integer,
      lane = least(h.lane, ${end.lane ?? 1}::integer),
      turn_token = null, turn_worker = null, turn_started_at = null
    from (select ${soonestDue(sql`${end.hostId}::integer`)} as due) soonest
    where h.id = ${end.hostId}::integer and h.turn_token = ${end.token}::uuid
    returning h.state, h.next_turn_at as at`;
}
