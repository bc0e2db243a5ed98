import { getTableColumns, sql } from "drizzle-orm";
import { texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { workers } from "./schema/operations.ts";
import { run } from "./statement.ts";

export type WorkerRow = typeof workers.$inferSelect;

export interface Worker {
  readonly id: string;
  readonly hostname: string;
  readonly pid: number;
  readonly roles: readonly string[];
  /** What the process says of itself; absent: as before. */
  readonly report?: unknown;
}

/**
 * Who takes over what a dead worker held waits at least this long, no less than a heartbeat: a
 * worker that only seemed dead has stopped by then, but a request of it may just have gone.
 */
export const TAKEOVER_MIN_MS = 1_000;

/**
 * The life sign of a worker; a new id is entered. `lost`: the last one was older than `ttlMs`, or
 * others have given it up. Such an id never lives again, and its leases may be another's by now.
 */
export async function beat(db: Db, worker: Worker, ttlMs: number): Promise<{ lost: boolean }> {
  const report = worker.report === undefined ? null : JSON.stringify(worker.report);
  const rows = await run(
    db,
    sql`insert into workers as w (id, hostname, pid, roles, started_at, beat_at, report)
      values (${worker.id}::uuid, ${worker.hostname}, ${worker.pid}, ${texts(worker.roles)},
        clock_timestamp(), clock_timestamp(), ${report}::jsonb)
      on conflict (id) do update set beat_at = clock_timestamp(),
        report = coalesce(excluded.report, w.report)
      where w.lost_at is null
        and w.beat_at > clock_timestamp() - ${ttlMs}::float8 * interval '1 ms'
      returning id`,
  );
  return { lost: rows.length === 0 };
}

/**
 * Gives up workers whose last life sign is older than `ttlMs`. Death is a row that was written, not
 * an age that two could see differently: a life sign on its way is waited for, and one that comes
 * after finds the worker lost. Gives their ids.
 */
export async function buryWorkers(db: Db, ttlMs: number): Promise<string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`update workers set lost_at = clock_timestamp()
      where lost_at is null and beat_at < clock_timestamp() - ${ttlMs}::float8 * interval '1 ms'
      returning id`,
  );
  return rows.map((row) => row.id);
}

/** Workers that nobody has given up. */
export async function livingWorkers(db: Db): Promise<WorkerRow[]> {
  return await db
    .select(getTableColumns(workers))
    .from(workers)
    .where(sql`${workers.lostAt} is null`)
    .orderBy(workers.startedAt);
}

/** One that was killed stands among the living until a scheduler gives it up: not after this. */
const SILENT = sql`interval '10 seconds'`;

/** Of the living those that gave a life sign lately, whether a scheduler runs or not. */
export async function freshWorkers(db: Db): Promise<WorkerRow[]> {
  return await db
    .select(getTableColumns(workers))
    .from(workers)
    .where(
      sql`${workers.lostAt} is null and ${workers.beatAt} > statement_timestamp() - ${SILENT}`,
    );
}

/** A worker that ends in good order, with all its leases given back. */
export async function forgetWorker(db: Db, id: string): Promise<void> {
  await run(db, sql`delete from workers where id = ${id}::uuid`);
}

/** Removes workers that were given up a day ago and hold no turn. */
export async function forgetDeadWorkers(db: Db): Promise<void> {
  await run(
    db,
    sql`delete from workers w
      where w.lost_at < statement_timestamp() - interval '1 day'
        and not exists (
          select from hosts h where h.turn_worker = w.id and h.turn_token is not null
        )`,
  );
}

/** Gives up one worker that is known to have ended; what it held is rescued as after silence. */
export async function buryWorker(db: Db, id: string): Promise<void> {
  await run(
    db,
    sql`update workers set lost_at = clock_timestamp() where id = ${id}::uuid and lost_at is null`,
  );
}
