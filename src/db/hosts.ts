import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { soonestDue } from "./due-levels.ts";
import { hosts } from "./schema/hosts.ts";
import { run } from "./statement.ts";

export type HostRow = typeof hosts.$inferSelect;
export type HostState = HostRow["state"];

/** What `reason` says of a paused host whose URLs are being removed, and then itself. */
export const FORGOTTEN = "forgotten";

export interface DueHost {
  readonly id: number;
  readonly lane: number;
}

/**
 * Hosts that may be given a turn now and have none: first lane first, longest due first. Two ranges
 * of one index, whatever the number of hosts.
 */
export async function dueHosts(db: Db, limit: number): Promise<DueHost[]> {
  const ofLane = (lane: number) => sql`(
    select id, lane, next_turn_at from hosts
    where lane = ${sql.raw(String(lane))} and turn_token is null
      and next_turn_at <= statement_timestamp()
    order by next_turn_at limit ${limit}::integer
  )`;
  return await run<DueHost>(
    db,
    sql`select id, lane from (${ofLane(0)} union all ${ofLane(1)}) due
      order by lane, next_turn_at limit ${limit}::integer`,
  );
}

/**
 * When the next host is due for a turn; null: none is waiting. What a scheduler may sleep until.
 */
export async function nextTurnDue(db: Db): Promise<Date | null> {
  const ofLane = (lane: number) => sql`(
    select next_turn_at from hosts
    where lane = ${sql.raw(String(lane))} and turn_token is null and next_turn_at is not null
    order by next_turn_at limit 1
  )`;
  const [row] = await run<{ at: string | null }>(
    db,
    sql`select min(next_turn_at) as at from (${ofLane(0)} union all ${ofLane(1)}) due`,
  );
  return row?.at ? new Date(row.at) : null;
}

export async function readHost(db: Db, id: number): Promise<HostRow | null> {
  const [row] = await db.select(getTableColumns(hosts)).from(hosts).where(sql`${hosts.id} = ${id}`);
  return row ?? null;
}

export async function readHostByName(db: Db, name: string): Promise<HostRow | null> {
  const named = sql`${hosts.name} = ${name}`;
  const [row] = await db.select(getTableColumns(hosts)).from(hosts).where(named);
  return row ?? null;
}

export interface HostMove {
  readonly id: number;
  /** Only from one of these states; absent: from any. */
  readonly from?: readonly HostState[];
  readonly state: HostState;
  readonly reason: string | null;
  /**
   * `"when due"`: as soon as one of its URLs is, `null`: never. Not before its next request may go.
   */
  readonly nextTurnAt: Date | "when due" | null;
  readonly lane?: 0 | 1;
  /** Starts the count of failed turns anew. */
  readonly forgive?: boolean;
}

/** A move of a host by an operator or a block; a running turn goes on to its end. */
export async function setHostState(db: Db, move: HostMove): Promise<HostRow | null> {
  const from = move.from ? sql`and ${hosts.state} in ${move.from}` : sql``;
  const [row] = await db
    .update(hosts)
    .set({
      state: move.state,
      stateAt: sql`clock_timestamp()`,
      reason: move.reason,
      nextTurnAt: notTooSoon(nextTurn(move)),
      ...(move.lane !== undefined && { lane: move.lane }),
      ...(move.forgive && { failures: 0 }),
    })
    .where(sql`${hosts.id} = ${move.id} ${from}`)
    .returning();
  return row ?? null;
}

function nextTurn({ nextTurnAt }: HostMove): SQL | null {
  if (nextTurnAt === null) return null;
  if (nextTurnAt !== "when due") return sql`${nextTurnAt.toISOString()}::timestamptz`;
  return soonestDue(sql`${hosts.id}`);
}

/** `greatest` passes nulls over, and a turn that is not wanted must stay unwanted. */
function notTooSoon(at: SQL | null): SQL | null {
  return (
    at &&
    sql`(select greatest(at, ${hosts.nextFetchAt}) from (select ${at}) t (at)
    where at is not null)`
  );
}

/** What an operator sets; absent fields stay. False: there is no such host. */
export async function setHostSettings(
  db: Db,
  id: number,
  settings: Partial<
    Pick<HostRow, "delayMs" | "urlsMax" | "bytesMax" | "includePatterns" | "excludePatterns">
  >,
): Promise<boolean> {
  const rows = await db
    .update(hosts)
    .set({ ...settings, name: sql`${hosts.name}` })
    .where(sql`${hosts.id} = ${id}`)
    .returning({ id: hosts.id });
  return rows.length > 0;
}
