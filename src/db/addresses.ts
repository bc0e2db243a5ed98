import { type SQL, sql } from "drizzle-orm";
import { texts, times } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";
import { buryWorkers, TAKEOVER_MIN_MS } from "./workers.ts";

export interface AddressTaker {
  readonly workerId: string;
  /** A holder without a life sign for this long has lost it. */
  readonly ttlMs: number;
  /** Starts at one address are this far apart. */
  readonly ipDelayMs: number;
}

export type AddressLease =
  /** Ours; no request may start there before `startsAt`. */
  | { readonly kind: "held"; readonly startsAt: Date }
  /** Another living worker has it, and has been asked to pass it on. */
  | { readonly kind: "wanted" };

/** The right to start requests at addresses that are free or whose holder is dead; in order. */
export async function takeAddresses(
  db: Db,
  taker: AddressTaker,
  addresses: readonly string[],
): Promise<AddressLease[]> {
  const leases = await ask(db, taker, addresses);
  const wanted = addresses.filter((address) => !leases.has(address));
  // Only a worker that was given up in writing is dead; see workers.ts.
  if (wanted.length > 0 && (await buryWorkers(db, taker.ttlMs)).length > 0) {
    for (const [address, lease] of await ask(db, taker, wanted)) leases.set(address, lease);
  }
  return addresses.map((address) => leases.get(address) ?? { kind: "wanted" });
}

/** Those that are held. */
async function ask(
  db: Db,
  { workerId, ipDelayMs }: AddressTaker,
  addresses: readonly string[],
): Promise<Map<string, AddressLease>> {
  const worker = sql`${workerId}::uuid`;
  const wait = takeover(ipDelayMs);
  const isFree = sql`(a.holder is null or a.holder = ${worker})`;
  const isDead = sql`not exists (
    select from workers w where w.id = a.holder and w.lost_at is null)`;
  const rows = await run<{ address: string; held: boolean; starts_at: string }>(
    db,
    sql`insert into addresses as a (address, holder, next_start_at)
      select address, ${worker}, clock_timestamp()
      from (select distinct unnest(${texts(addresses)}) as address order by address) asked
      on conflict (address) do update set
        holder = case when ${isFree} or ${isDead} then ${worker} else a.holder end,
        wanted_at = case when ${isFree} or ${isDead} then null
          else coalesce(a.wanted_at, clock_timestamp()) end,
        next_start_at = case
          when ${isFree} then greatest(a.next_start_at, clock_timestamp())
          when ${isDead} then greatest(a.next_start_at, clock_timestamp() + ${wait})
          else a.next_start_at end
      returning a.address, a.holder = ${worker} as held, next_start_at as starts_at`,
  );
  const held = rows.filter((row) => row.held);
  return new Map(
    held.map((row) => [row.address, { kind: "held", startsAt: new Date(row.starts_at) }]),
  );
}

function takeover(ipDelayMs: number): SQL {
  return sql`${Math.max(ipDelayMs, TAKEOVER_MIN_MS)}::float8 * interval '1 ms'`;
}

/** Addresses of this worker that another one asks for. */
export async function wantedAddresses(db: Db, workerId: string): Promise<string[]> {
  const rows = await run<{ address: string }>(
    db,
    sql`select address from addresses where holder = ${workerId}::uuid and wanted_at is not null`,
  );
  return rows.map((row) => row.address);
}

/** Gives addresses back, each with the time before which nobody may start; fenced by the holder. */
export async function freeAddresses(
  db: Db,
  workerId: string,
  freed: readonly { readonly address: string; readonly nextStartAt: Date }[],
): Promise<void> {
  if (freed.length === 0) return;
  const sorted = [...freed].sort((a, b) => (a.address < b.address ? -1 : 1));
  const addresses = texts(sorted.map((row) => row.address));
  await run(
    db,
    sql`with locked as materialized (
        select address from addresses where address = any(${addresses})
        order by address for no key update
      )
      update addresses a set holder = null, wanted_at = null,
        next_start_at = greatest(a.next_start_at, f.next_start_at)
      from locked join unnest(${addresses}, ${times(sorted.map((row) => row.nextStartAt))})
        as f (address, next_start_at) using (address)
      where a.address = locked.address and a.holder = ${workerId}::uuid`,
  );
}

/**
 * Takes the addresses of dead workers away at once, so that the wait of a takeover runs beside that
 * of their hosts and not after it.
 */
export async function freeDeadAddresses(db: Db, ipDelayMs: number): Promise<void> {
  await run(
    db,
    sql`with dead as materialized (
        select address from addresses a where holder is not null and not exists (
          select from workers w where w.id = a.holder and w.lost_at is null
        ) order by address for no key update skip locked
      )
      update addresses a set holder = null, wanted_at = null, next_start_at = greatest(
        a.next_start_at, clock_timestamp() + ${takeover(ipDelayMs)}
      ) from dead where a.address = dead.address`,
  );
}

/** Removes addresses that nobody has held for a day. */
export async function forgetAddresses(db: Db): Promise<void> {
  await run(
    db,
    sql`delete from addresses where holder is null
      and next_start_at < statement_timestamp() - interval '1 day'`,
  );
}
