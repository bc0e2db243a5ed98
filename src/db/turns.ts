import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { enums, integers, texts, times, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { soonestDue } from "./due-levels.ts";
import type { HostRow, HostState } from "./hosts.ts";
import { hosts } from "./schema/hosts.ts";
import { releaseTurns } from "./settle-urls.ts";
import { run } from "./statement.ts";
import { retrying } from "./store-errors.ts";

export interface TurnRequest {
  readonly hostId: number;
  /** Fence of the turn, and lease token of what it claims. */
  readonly token: string;
}

/** Who asks; without a fresh life sign it gets nothing. */
export interface TurnTaker {
  readonly workerId: string;
  readonly ttlMs: number;
}

/**
 * Takes the turn leases of hosts that are due, run, and have none; by the store's clock. In order
 * of the requests; null: none to be had. A host comes with the lane it stood in; its row goes to
 * the last one, so that who puts it in front while the turn runs is not forgotten at its end.
 */
export async function takeTurns(
  db: Db,
  taker: TurnTaker,
  requests: readonly TurnRequest[],
): Promise<(HostRow | null)[]> {
  const rows = await takeStatement(db, taker, requests).execute();
  const taken = new Map(
    rows.map(({ laneBefore: lane, ...host }) => [host.turnToken, { ...host, lane }]),
  );
  return requests.map(({ token }) => taken.get(token) ?? null);
}

function takeStatement(db: Db, { workerId, ttlMs }: TurnTaker, requests: readonly TurnRequest[]) {
  const asked = sql`unnest(
    ${integers(requests.map((request) => request.hostId))},
    ${uuids(requests.map((request) => request.token))}) as r (id, token)`;
  return db
    .update(hosts)
    .set({
      lane: 1,
      state: sql`case when ${hosts.state} = 'parked' then 'active' else ${hosts.state} end`,
      turnToken: sql`asked.token`,
      turnWorker: sql`${workerId}::uuid`,
      turnStartedAt: sql`clock_timestamp()`,
      nextTurnAt: null,
    })
    .from(
      sql`(select h.id, h.lane, r.token from ${asked} join hosts h using (id)
        order by h.id for no key update of h) asked`,
    )
    .where(
      sql`${hosts.id} = asked.id and ${hosts.turnToken} is null
        and ${hosts.state} not in ('paused', 'blocked')
        and ${hosts.nextTurnAt} <= clock_timestamp()
        and exists (select from workers w where w.id = ${workerId}::uuid and w.lost_at is null
          and w.beat_at > clock_timestamp() - ${ttlMs}::float8 * interval '1 ms')`,
    )
    .returning({ ...getTableColumns(hosts), laneBefore: sql<number>`asked.lane` })
    .prepare("take_turns");
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

export interface TurnEnd {
  readonly hostId: number;
  readonly token: string;
  /**
   * `active` becomes `parked` when nothing of the host is due; `waiting_robots` becomes `active`
   * when something is, for what waits was put off.
   */
  readonly state: "active" | "waiting_robots" | "backing_off" | "dead" | "out_of_region";
  readonly reason: string | null;
  /**
   * Not before this; an active host not before one of its URLs is due either. One that waits for
   * robots.txt: when one of its URLs is due, as soon as its next request may go.
   */
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
 * Ends turns, in the order given: whatever they still hold goes back, so their last settle comes
 * before. What an operator did to a host meanwhile stays: a paused or blocked one gets no turn.
 */
export function endTurns(db: Db, ends: readonly TurnEnd[]): Promise<TurnEnded[]> {
  const tokens = ends.map((end) => end.token);
  return retrying(db, async (tx) => {
    // Locked first: what was admitted to a host until then is seen by the statements after it.
    await run(
      tx,
      sql`select from hosts where id = any(${integers(ends.map((end) => end.hostId))})
        order by id for no key update`,
    );
    await releaseTurns(tx, tokens);
    const rows = await run<{ token: string; state: HostState; at: string | null }>(
      tx,
      endStatement(ends),
    );
    const ended = new Map(rows.map((row) => [row.token, row]));
    return tokens.map((token) => {
      const host = ended.get(token);
      if (!host) return { kind: "lost" };
      const nextTurnAt = host.at === null ? null : new Date(host.at);
      return { kind: "ended", state: host.state, nextTurnAt };
    });
  });
}

/** What `reason` says of a host that is not asked, for it has given all the bytes it may. */
export const BYTES_USED_UP = "its bytes are used up: it is not asked until they are raised";
/** Such a host is looked at again then, should nobody wake it. */
const USED_UP_LOOK = sql`interval '1 day'`;

function endStatement(ends: readonly TurnEnd[]) {
  const isHalted = sql`h.state in ('paused', 'blocked')`;
  const waits = sql`e.state = 'waiting_robots'`;
  // As the quota is now: who raises it while the turn runs is not forgotten.
  const isUsedUp = sql`(e.state = 'active' and h.byte_count >= h.bytes_max)`;
  const isParked = sql`(e.state = 'active' and soonest.due > clock_timestamp()
    or (e.state = 'active' or ${waits}) and soonest.due is null)`;
  const goesOn = sql`(${waits} and soonest.due <= clock_timestamp())`;
  const state = sql`case when ${isHalted} then h.state when ${isParked} then 'parked'
    when ${goesOn} then 'active' else e.state end`;
  return sql`update hosts h set
      state = ${state},
      state_at = case when h.state = ${state} then h.state_at else clock_timestamp() end,
      reason = case when ${isHalted} then h.reason
        when ${isParked} or ${goesOn} then null
        when ${isUsedUp} then ${BYTES_USED_UP} else e.reason end,
      next_turn_at = case when ${isHalted} then null
        when ${isUsedUp} and soonest.due is not null
          then greatest(e.next_turn_at, soonest.due, clock_timestamp() + ${USED_UP_LOOK})
        when e.state not in ('active', 'waiting_robots') then e.next_turn_at
        when soonest.due is null then null
        when ${waits} then greatest(soonest.due, h.next_fetch_at, e.next_fetch_at)
        else greatest(e.next_turn_at, soonest.due) end,
      next_fetch_at = greatest(h.next_fetch_at, e.next_fetch_at),
      failures = e.failures, throttles = h.throttles + e.throttles,
      robots_delay_ms = e.robots_delay_ms, slow_delay_ms = e.slow_delay_ms,
      lane = least(h.lane, e.lane),
      turn_token = null, turn_worker = null, turn_started_at = null
    from ${endList(ends)}
    cross join lateral (select ${soonestDue(sql`e.id`)} as due) soonest
    where h.id = e.id and h.turn_token = e.token
    returning e.token, h.state, h.next_turn_at as at`;
}

function endList(ends: readonly TurnEnd[]): SQL {
  const list = <T>(value: (end: TurnEnd) => T) => ends.map(value);
  return sql`unnest(
      ${integers(list((end) => end.hostId))},
      ${uuids(list((end) => end.token))},
      ${enums(
        "host_state",
        list((end) => end.state),
      )},
      ${texts(list((end) => end.reason))},
      ${times(list((end) => end.nextTurnAt))},
      ${times(list((end) => end.nextFetchAt))},
      ${integers(list((end) => end.failures))},
      ${integers(list((end) => end.throttles))},
      ${integers(list((end) => end.robotsDelayMs))},
      ${integers(list((end) => end.slowDelayMs))},
      ${integers(list((end) => end.lane ?? 1))}
    ) as e (id, token, state, reason, next_turn_at, next_fetch_at, failures, throttles,
      robots_delay_ms, slow_delay_ms, lane)`;
}
