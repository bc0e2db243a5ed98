import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { ADVISORY_LOCK } from "./locks.ts";
import { run } from "./statement.ts";

const DAY_MS = 86_400_000;
/** Days that get a partition ahead of time: a scheduler that stops for a while does no harm. */
const AHEAD_DAYS = 3;
/** Longer than this nobody's insert waits behind us, who wait for a long reader. */
const LOCK_WAIT = "2s";

/**
 * Makes the partitions of today and the next days; rows of theirs that have come already move in.
 */
export async function ensurePartitions(db: Db, now: Date): Promise<void> {
  const there = new Set(await partitionDays(db));
  const today = Math.floor(now.getTime() / DAY_MS);
  for (let day = today; day <= today + AHEAD_DAYS; day++) {
    if (!there.has(day)) await makePartition(db, day);
  }
}

/** Drops whole days that ended before `before`, and such rows of the default partition. */
export async function dropPartitions(db: Db, before: Date): Promise<number> {
  const old = (await partitionDays(db)).filter((day) => (day + 1) * DAY_MS <= before.getTime());
  for (const day of old) {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = ${sql.raw(`'${LOCK_WAIT}'`)}`);
      await tx.execute(sql.raw(`drop table if exists ${nameOf(day)}`));
    });
  }
  await run(
    db,
    sql`delete from visits_default where settled_at < ${before.toISOString()}::timestamptz`,
  );
  return old.length;
}

/** Days since the epoch that have a partition. */
async function partitionDays(db: Db): Promise<number[]> {
  const rows = await run<{ name: string }>(
    db,
    sql`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'visits'::regclass`,
  );
  return rows.flatMap(({ name }) => {
    const found = /^visits_(\d{4})(\d\d)(\d\d)$/.exec(name);
    return found ? [Date.UTC(+found[1]!, +found[2]! - 1, +found[3]!) / DAY_MS] : [];
  });
}

function nameOf(day: number): string {
  return `visits_${isoDay(day).replaceAll("-", "")}`;
}

function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Made apart and then attached: a partition cannot be made over rows that stand in the default one.
 * Several schedulers at once are serialised by an advisory lock.
 */
async function makePartition(db: Db, day: number): Promise<void> {
  const name = nameOf(day);
  const [from, to] = [`'${isoDay(day)} 00:00+00'`, `'${isoDay(day + 1)} 00:00+00'`];
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCK.partition})`);
    if ((await partitionDays(tx)).includes(day)) return;
    const steps = [
      `set local lock_timeout = '${LOCK_WAIT}'`,
      `create table ${name} (like visits including defaults including constraints)`,
      "lock table visits_default in share row exclusive mode",
      `with moved as (
        delete from visits_default where settled_at >= ${from} and settled_at < ${to} returning *
      ) insert into ${name} select * from moved`,
      `alter table visits attach partition ${name} for values from (${from}) to (${to})`,
    ];
    for (const step of steps) await tx.execute(sql.raw(step));
  });
}
