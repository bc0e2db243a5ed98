import { createPostgresBackend, runMigrations, withBackend } from "bullmq";
import type pg from "pg";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Backend } from "./backend.ts";
import { measureHealth } from "./health.ts";
import { createCarrierPool, isConnectionLoss, SCHEMA } from "./postgres-pool.ts";
import { QueueShelf } from "./queue-shelf.ts";

export async function openPostgresBackend({
  databaseUrl,
  log,
  clock,
}: {
  databaseUrl: string;
  log: Log;
  clock: Clock;
}): Promise<Backend> {
  const pool = createCarrierPool(databaseUrl, clock, log);
  try {
    await migrate(pool.plain);
  } catch (error) {
    await pool.close();
    throw error;
  }
  const { Queue, Worker } = withBackend(createPostgresBackend);
  const connection = pool.patient;
  const queues = new QueueShelf(
    (name, options) => new Queue(name, { ...options, connection }) as never,
    log,
  );
  return {
    kind: "postgres",
    queue: (name) => queues.get(name),
    worker: (name, processor, options) =>
      new Worker(name, processor, { ...options, connection }) as never,
    probe: () => measureHealth(() => touch(pool.plain), isRefusal, clock.now),
    close: async () => {
      await queues.close();
      await pool.close();
    },
  };
}

/**
 * The library's own tables; several processes at once are serialised by it. Unlike jobs they must
 * outlive a crash of the server: nobody makes them again while we run.
 */
async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set synchronous_commit = on");
    await runMigrations(client, SCHEMA);
    await client.query("reset synchronous_commit");
  } finally {
    client.release();
  }
}

/** Writes where the library keeps facts about queues, under the name of none. */
function touch(pool: pg.Pool): Promise<unknown> {
  return pool.query(
    `insert into ${SCHEMA}.meta (queue, field, value)
     values ('trawl.health', 'probe', (extract(epoch from clock_timestamp())::bigint)::text)
     on conflict (queue, field) do update set value = excluded.value`,
  );
}

/** An answer of the server that is neither its coming nor its going. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !isConnectionLoss(error);
}
