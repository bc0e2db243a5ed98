import { afterAll, afterEach, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { silentLog } from "../../src/log.ts";
import { type Backend, openBackend } from "../../src/queue/backend.ts";
import type { QueueName } from "../../src/queue/queues.ts";
import { type Handler, type RunningWorker, startWorker } from "../../src/queue/worker.ts";
import { emptyDatabaseUrl } from "../support/database.ts";
import { startGuarded } from "../support/guarded.ts";
import { freePort } from "../support/ports.ts";
import { until } from "../support/until.ts";

const REDIS = "/usr/bin/redis-server";
const QUEUES: readonly QueueName[] = ["turns", "commands", "enrich", "ticks"];

/** Where the carrier is, for code that opens it by itself. */
export interface CarrierPlace {
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
}

/** What the tests of one carrier get. */
export interface Carried {
  readonly backend: Backend;
  readonly place: CarrierPlace;
  /** A worker that is closed after the test. */
  work<N extends QueueName>(
    queue: N,
    handler: Handler<N>,
    settings?: { concurrency?: number; onError?: (error: Error) => void },
  ): RunningWorker;
}

export const hasRedis = existsSync(REDIS);

/** The same tests with either carrier; without a Redis server here, those are shown as skipped. */
export function describeCarried(title: string, body: (carried: Carried) => void): void {
  setDefaultTimeout(60_000);
  describe(`${title}, carried by postgres`, () => body(setUp(postgresPlace)));
  describe.skipIf(!hasRedis)(`${title}, carried by redis`, () => body(setUp(redisPlace)));
}

type MakePlace = () => Promise<CarrierPlace & { stop(): Promise<void> }>;

const postgresPlace: MakePlace = async () => ({
  redisUrl: null,
  databaseUrl: await emptyDatabaseUrl(),
  stop: async () => {},
});

const redisPlace: MakePlace = async () => {
  const server = await startRedis();
  return { redisUrl: server.url, databaseUrl: "", stop: server.stop };
};

function setUp(makePlace: MakePlace): Carried {
  let place: Awaited<ReturnType<MakePlace>>;
  let backend: Backend;
  const workers: RunningWorker[] = [];
  beforeAll(async () => {
    place = await makePlace();
    backend = await openBackend({ ...place, log: silentLog });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close(2_000)));
    for (const queue of QUEUES) await backend.queue(queue).obliterate({ force: true });
  });
  afterAll(async () => {
    await backend.close();
    await place.stop();
  });
  return {
    get backend() {
      return backend;
    },
    get place() {
      return place;
    },
    work: (queue, handler, settings = {}) => {
      const all = { concurrency: 8, log: silentLog, ...settings };
      const worker = startWorker(backend, queue, handler, all);
      workers.push(worker);
      return worker;
    },
  };
}

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startRedis(options: string[] = [], at?: string): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-test-redis-"));
  const port = at ?? `${await freePort()}`;
  const pidFile = join(folder, "pid");
  const where = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--pidfile", pidFile];
  await startGuarded([REDIS, ...where, "--save", "", ...options], folder, { signal: "KILL" });
  const url = `redis://127.0.0.1:${port}`;
  await until(() => answers(url), { what: "redis-server" });
  const pid = Number(readFileSync(pidFile, "utf8"));
  return {
    url,
    pid,
    stop: async () => {
      if (!existsSync(folder)) return;
      process.kill(pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
      await until(async () => !(await answers(url)), { what: "the end of redis-server" });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

/** Until no job of a queue stands, waits or runs, and none is kept. */
export async function untilEmpty(backend: Backend, queue: QueueName): Promise<void> {
  const isEmpty = async () =>
    Object.values(await backend.queue(queue).getJobCounts()).every((count) => count === 0);
  await until(isEmpty, { timeoutMs: 15_000, what: `an empty queue ${queue}` });
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    signal.addEventListener("abort", () => done(), { once: true });
  });
}
