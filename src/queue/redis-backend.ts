import { createRedisBackend, withBackend } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Backend } from "./backend.ts";
import { measureHealth } from "./health.ts";
import { QueueShelf } from "./queue-shelf.ts";

const COMMAND_TIMEOUT_MS = 5_000;
const RETRY_MAX_MS = 1_000;
const PROBE_TTL_MS = 60_000;

/** Opens at once whether Redis is there or not; its clients look for it until they are closed. */
export function openRedisBackend({
  redisUrl,
  prefix,
  log,
  clock,
}: {
  redisUrl: string;
  prefix: string;
  log: Log;
  clock: Clock;
}): Backend {
  // A producer must hear at once that nobody takes its jobs; a worker waits for ever.
  const producer = connect(redisUrl, log, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
  });
  let consumer: Redis | null = null;
  const { Queue, Worker } = withBackend(createRedisBackend);
  const queues = new QueueShelf(
    (name, options) => new Queue(name, { ...options, prefix, connection: producer }) as never,
    log,
  );
  return {
    kind: "redis",
    queue: (name) => queues.get(name),
    worker: (name, processor, options) => {
      consumer ??= connect(redisUrl, log, { maxRetriesPerRequest: null });
      return new Worker(name, processor, { ...options, prefix, connection: consumer }) as never;
    },
    probe: () =>
      measureHealth(
        () => producer.set(`${prefix}:health`, clock.now(), "PX", PROBE_TTL_MS),
        (error) => (error as Error).name === "ReplyError",
        clock.now,
      ),
    close: async () => {
      await queues.close();
      producer.disconnect();
      consumer?.disconnect();
    },
  };
}

/** Never lazily: a first connect that fails would reject for good what the library waits for. */
function connect(
  redisUrl: string,
  log: Log,
  options: Pick<RedisOptions, "enableOfflineQueue" | "maxRetriesPerRequest" | "commandTimeout">,
): Redis {
  const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 6), RETRY_MAX_MS);
  const redis = new Redis(redisUrl, { ...options, retryStrategy });
  redis.on("error", (error) => log.debug("carrier.connection", { detail: error.message }));
  return redis;
}
