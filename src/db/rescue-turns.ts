import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { integers, uuids } from "./bulk.ts";
import type { ClaimedUrl } from "./claim-urls.ts";
import type { Db } from "./connect.ts";
import { urls } from "./schema/urls.ts";
import { endLease, type SettleRow, settleUrls } from "./settle-urls.ts";
import { inTransaction, run } from "./statement.ts";
import { buryWorkers, TAKEOVER_MIN_MS } from "./workers.ts";

export interface RescueOptions {
  /** A worker without a life sign for this long is dead. */
  readonly ttlMs: number;
  /** `CRAWL_DELAY_MS`: the least gap of every host. */
  readonly crawlDelayMs: number;
  /** A turn of a living worker that began this long ago is taken for forgotten by it. */
  readonly turnMaxMs: number;
}

export interface Rescue {
  /** Whose turn was taken away, and who may have another after one full delay. */
  readonly hostIds: number[];
  /** The rows that were being fetched when their worker died, as they were settled. */
  readonly crashed: SettleRow[];
}

/** Turns taken away in one transaction; the next call goes on. */
const TURNS_MAX = 500;

/**
 * Takes away the turns of dead workers. Each host waits one full delay from now; what was claimed
 * goes back unchanged, but for the rows that were being fetched: those are settled as `crash`
 * steps them (the machine of a URL decides, not the store).
 */
export function rescueTurns(
  db: Db,
  options: RescueOptions,
  crash: (url: ClaimedUrl) => SettleRow,
): Promise<Rescue> {
  return inTransaction(db, async (tx) => {
    await buryWorkers(tx, options.ttlMs);
    const turns = await lockDeadTurns(tx, options);
    if (turns.length === 0) return { hostIds: [], crashed: [] };
    const tokens = uuids(turns.map((turn) => turn.token));
    const crashed = (await suspects(tx, tokens)).map(crash);
    await settleUrls(tx, crashed);
    await giveBack(tx, tokens);
    await freeHosts(tx, turns, options.crawlDelayMs);
    return { hostIds: turns.map((turn) => turn.id), crashed };
  });
}

interface DeadTurn {
  readonly id: number;
  readonly token: string;
}

/**
 * Workers that were buried, or are unknown; in order of ids, and past those another rescues now.
 */
async function lockDeadTurns(tx: Db, { turnMaxMs }: RescueOptions): Promise<DeadTurn[]> {
  return await run<DeadTurn>(
    tx,
    sql`select h.id, h.turn_token as token from hosts h
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

async function suspects(tx: Db, tokens: SQL): Promise<ClaimedUrl[]> {
  const rows = await tx
    .select(getTableColumns(urls))
    .from(urls)
    .where(
      sql`${urls.state} = 'in_progress' and ${urls.leaseToken} = any(${tokens})
        and ${urls.fetchingAt} is not null`,
    )
    .orderBy(urls.id)
    .for("no key update");
  return rows as ClaimedUrl[];
}

async function giveBack(tx: Db, tokens: SQL): Promise<void> {
  await run(
    tx,
    sql`update urls set state = 'pending', ${endLease}
      where state = 'in_progress' and lease_token = any(${tokens})`,
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
