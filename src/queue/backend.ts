import type { Processor, Queue, Worker, WorkerOptions } from "bullmq";
import { type Clock, systemClock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Health } from "./health.ts";
import { openPostgresBackend } from "./postgres-backend.ts";
import type { QueueName } from "./queues.ts";
import { openRedisBackend } from "./redis-backend.ts";

/** The carrier of work: BullMQ on one of its two backends, which behave alike. */
export interface Backend {
  readonly kind: "postgres" | "redis";
  /** The producer's side of a queue; one object per name. */
  queue(name: QueueName): Queue;
  /** A consumer; see worker.ts. Its owner closes it before the backend. */
  worker(name: QueueName, processor: Processor, options: Omit<WorkerOptions, "connection">): Worker;
  /** Is the carrier there, and does it take writes? */
  probe(): Promise<Health>;
  close(): Promise<void>;
}

export interface BackendOptions {
  /** Set: Redis carries the work. Null: the database does. */
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** Namespace in Redis. */
  readonly prefix?: string;
}

/**
 * Throws when Postgres is to carry the work and is away. A Redis that is away shows at the first
 * use, and is found when it comes.
 */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  const { redisUrl, databaseUrl, log, clock = systemClock, prefix = "trawl" } = options;
  return redisUrl === null
    ? openPostgresBackend({ databaseUrl, log, clock })
    : openRedisBackend({ redisUrl, prefix, log, clock });
}
