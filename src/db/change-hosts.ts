import { type SQL, sql } from "drizzle-orm";
import { ROOM_FOR_ALL } from "./admission-room.ts";
import type { Db } from "./connect.ts";
import { type Counts, countedValues, counting, increment } from "./counters.ts";
import { millis, RowList } from "./row-list.ts";
import { keep } from "./statement.ts";

/** What one transaction has to tell a host; absent fields change nothing. */
export interface HostChange {
  readonly hostId: number;
  /** Rows admitted (or, below zero, removed). */
  readonly urls?: number;
  /** When a URL of it is next due; "now" by the store's clock. A sooner turn stays as it is. */
  readonly due?: Date | "now";
  /** 0 puts its next turn in the first lane. */
  readonly lane?: 0 | 1;
  /** A person named it: seeded scopes take it in. */
  readonly seeds?: boolean;
  /** A person wants one of its URLs: one that is dead gets a turn, too. */
  readonly named?: boolean;
  /** What its documents have more of: sum of region scores, in thousandths, and their number. */
  readonly regionSum?: number;
  readonly regionCount?: number;
  /** Fence of the next three: they count only while this turn lasts. */
  readonly token?: string;
  readonly nextFetchAt?: Date;
  readonly pages?: number;
  readonly bytes?: number;
}

/**
 * Hosts that a due URL may wake. A host in back-off, dead or out of region keeps the time that put
 * it there, if it has one: with none, nothing else would ever bring it back. One that waits for
 * robots.txt may have another authority that is well.
 */
const isWakeable = sql`(h.state in ('active', 'parked', 'waiting_robots')
  or (h.state not in ('paused', 'blocked') and h.next_turn_at is null and h.turn_token is null)
  or (h.state = 'dead' and c.named))`;

export interface ChangedHost {
  readonly id: number;
  /** URLs that it has beyond its quota. */
  readonly over: number;
}

const WAITING_LOOK = sql`interval '1 second'`;

/**
 * Applies what a transaction has gathered, in one statement that locks the hosts in order of their
 * ids, and then counts. All changes of a transaction belong in one call: two calls could lock in a
 * circle with another one. Gives the hosts that were there; `urlsMax` is for those without a quota.
 */
export async function changeHosts(
  db: Db,
  changes: readonly HostChange[],
  urlsMax: number = ROOM_FOR_ALL.hostUrlsMax,
  counts: Counts = {},
): Promise<ChangedHost[]> {
  const counted = countedValues(counts);
  if (changes.length === 0) {
    await increment(db, counts);
    return [];
  }
  const merged = [...mergeChanges(changes).values()].sort((a, b) => a.hostId - b.hostId);
  const values = { ...CHANGED.values(merged), urlsMax };
  if (counted === null) return await changeRows(db, values);
  return await changeAndCount(db, { ...values, ...counted });
}

const CHANGED = new RowList<HostChange>("changed", {
  id: ["integer", (c) => c.hostId],
  urls: ["integer", (c) => c.urls ?? 0],
  seeds: ["boolean", (c) => c.seeds ?? false],
  named: ["boolean", (c) => c.named ?? false],
  lane: ["integer", (c) => c.lane ?? 1],
  due_now: ["boolean", (c) => c.due === "now"],
  due_at: ["timestamptz", (c) => (c.due instanceof Date ? c.due.getTime() : null)],
  token: ["uuid", (c) => c.token ?? null],
  next_fetch_at: ["timestamptz", (c) => millis(c.nextFetchAt ?? null)],
  pages: ["integer", (c) => c.pages ?? 0],
  bytes: ["bigint", (c) => c.bytes ?? 0],
  region_sum: ["integer", (c) => c.regionSum ?? 0],
  region_count: ["integer", (c) => c.regionCount ?? 0],
});

const LOCKED = sql`changed as materialized (
    select *, case when due_now then statement_timestamp() else due_at end as due
    from ${CHANGED.table} list
  ), locked as materialized (
    select h.id from hosts h where h.id = any(array(select id from changed))
    order by h.id for no key update
  )`;

const CHANGE = sql`update hosts h set
    url_count = h.url_count + c.urls,
    seeded_at = case when c.seeds then coalesce(h.seeded_at, clock_timestamp())
      else h.seeded_at end,
    ${wake(sql`c.due`, sql`c.lane`)},
    next_fetch_at = case when h.turn_token = c.token
      then greatest(h.next_fetch_at, c.next_fetch_at) else h.next_fetch_at end,
    page_count = h.page_count + case when h.turn_token = c.token then c.pages else 0 end,
    byte_count = h.byte_count + case when h.turn_token = c.token then c.bytes else 0 end,
    region_sum = h.region_sum + c.region_sum,
    region_count = h.region_count + c.region_count
  from changed c
  where h.id = c.id and (select count(*) from locked) > 0
  returning h.id, greatest(0, h.url_count - case when h.byte_count >= h.bytes_max then 0
    else coalesce(h.urls_max, ${sql.placeholder("urlsMax")}::integer) end) as over`;

const changeRows = keep<ChangedHost>(() => sql`with ${LOCKED} ${CHANGE}`);

/** Counters after hosts, in every transaction: what nobody reads from is run last. */
const changeAndCount = keep<ChangedHost>(
  () => sql`with ${LOCKED}, counted as (${counting()}) ${CHANGE}`,
);

export const dueNow = (hostId: number): HostChange => ({ hostId, due: "now" });

/** Turns as soon as may be; hosts that are paused, blocked or backing off stay as they are. */
export async function wakeHosts(db: Db, hostIds: readonly number[]): Promise<void> {
  await changeHosts(db, hostIds.map(dueNow));
}

/**
 * Assignments that bring a turn of host `h` forward to `due` (null: not at all), never before the
 * host's next request may go.
 */
function wake(due: SQL, lane: SQL): SQL {
  const wakes = sql`${due} is not null and ${isWakeable}`;
  // Most that comes due there belongs to what it waits for: one look takes in all of them.
  const patient = sql`case when h.state = 'waiting_robots'
    then statement_timestamp() + ${WAITING_LOOK} end`;
  const revives = sql`h.state = 'parked' and ${due} <= statement_timestamp()`;
  return sql`next_turn_at = case when ${wakes}
      then least(h.next_turn_at, greatest(${due}, h.next_fetch_at, ${patient}))
      else h.next_turn_at end,
    lane = case when ${lane} = 0 then 0 else h.lane end,
    state = case when ${revives} then 'active' else h.state end,
    state_at = case when ${revives} then clock_timestamp() else h.state_at end`;
}

/** One change a host: counts add up, the sooner due and the first lane win. */
function mergeChanges(changes: readonly HostChange[]): Map<number, HostChange> {
  const merged = new Map<number, HostChange>();
  for (const change of changes) {
    const known = merged.get(change.hostId);
    merged.set(change.hostId, known ? mergeTwo(known, change) : change);
  }
  return merged;
}

function mergeTwo(a: HostChange, b: HostChange): HostChange {
  const due = sooner(a.due, b.due);
  const nextFetchAt = later(a.nextFetchAt, b.nextFetchAt);
  const token = a.token ?? b.token;
  return {
    hostId: a.hostId,
    urls: (a.urls ?? 0) + (b.urls ?? 0),
    lane: a.lane === 0 || b.lane === 0 ? 0 : 1,
    seeds: a.seeds === true || b.seeds === true,
    named: a.named === true || b.named === true,
    pages: (a.pages ?? 0) + (b.pages ?? 0),
    bytes: (a.bytes ?? 0) + (b.bytes ?? 0),
    regionSum: (a.regionSum ?? 0) + (b.regionSum ?? 0),
    regionCount: (a.regionCount ?? 0) + (b.regionCount ?? 0),
    ...(due && { due }),
    ...(token && { token }),
    ...(nextFetchAt && { nextFetchAt }),
  };
}

function sooner(a: HostChange["due"], b: HostChange["due"]): HostChange["due"] {
  if (a === "now" || b === "now") return "now";
  if (!a || !b) return a ?? b;
  return a < b ? a : b;
}

function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (!a || !b) return a ?? b;
  return a > b ? a : b;
}
