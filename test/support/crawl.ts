import { readRegion } from "../../src/cli/region-file.ts";
import { systemClock } from "../../src/clock.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { Breaker } from "../../src/crawl/breaker.ts";
import { Crew } from "../../src/crawl/crew.ts";
import type { OperateDeps } from "../../src/crawl/move-url.ts";
import { createProbes } from "../../src/crawl/probes.ts";
import { Schedule } from "../../src/crawl/schedule.ts";
import { seedUrls } from "../../src/crawl/submit.ts";
import { startTurnWorker } from "../../src/crawl/turn-worker.ts";
import type { Database } from "../../src/db/connect.ts";
import { Lifecycle } from "../../src/lifecycle.ts";
import { createLog, type Log } from "../../src/log.ts";
import { type Backend, openBackend } from "../../src/queue/backend.ts";
import { Waker } from "../../src/waker.ts";
import { testDatabase } from "./database.ts";
import { MemoryIndex } from "./memory-index.ts";

/** Settings of a crawl that stays on loopback and is in a hurry. */
export function testConfig(env: Record<string, string> = {}): Config {
  const settings = {
    FETCH_ALLOW_CIDRS: "127.0.0.0/8",
    CRAWL_DELAY_MS: "0",
    DISK_MIN_FREE_MB: "10",
    DATA_DIR: "/tmp",
    ...env,
  };
  const read = readConfig(settings, readRegion);
  if (read.kind === "problems") throw new Error(read.problems.join("\n"));
  return read.config;
}

export interface CrawlOptions {
  log?: Log;
  /** Set: Redis carries the turns, not the database. */
  redisUrl?: string;
  /** False: nobody gives hosts a turn. */
  schedules?: boolean;
  /** False: nobody takes the turns. */
  works?: boolean;
}

export interface TestCrawl {
  config: Config;
  database: Database;
  backend: Backend;
  index: MemoryIndex;
  crew: Crew;
  breaker: Breaker;
  /** What the actions of an operator need. */
  operate: OperateDeps;
  seed(...urls: string[]): ReturnType<typeof seedUrls>;
  stop(): Promise<void>;
}

/** Crew and scheduler in this process on a database of their own; the index is in memory. */
export async function startCrawl(
  env: Record<string, string> = {},
  options: CrawlOptions = {},
): Promise<TestCrawl> {
  const { log = createLog("error"), redisUrl = null, schedules = true, works = true } = options;
  const config = testConfig(env);
  const lifecycle = new Lifecycle(log);
  const database = await testDatabase({ max: 8 });
  lifecycle.add("database", () => database.close());
  const backend = await openBackend({ redisUrl, databaseUrl: database.url, log });
  lifecycle.add("carrier", () => backend.close());
  const index = new MemoryIndex();
  const breaker = new Breaker(createProbes({ database, backend, index, config }), systemClock, log);
  breaker.start();
  lifecycle.add("breaker", () => breaker.stop());
  const waker = new Waker();
  const deps = {
    db: database.db,
    config,
    clock: systemClock,
    log,
    index,
    random: Math.random,
    wake: () => waker.wake(),
  };
  const crew = new Crew({ ...deps, breaker, roles: ["crawl"] });
  await crew.start();
  lifecycle.add("crew", () => crew.stop());
  if (works) {
    const worker = startTurnWorker(crew, backend, log);
    lifecycle.add("turns", () => worker.stop());
  }
  const schedule = new Schedule({ ...deps, backend, waker, isOpen: () => breaker.open !== null });
  if (schedules) {
    await schedule.start();
    lifecycle.add("schedule", () => schedule.stop());
  }
  return {
    config,
    database,
    backend,
    index,
    crew,
    breaker,
    operate: deps,
    seed: (...urls) => seedUrls({ ...deps, policy: crew.turns.policy }, urls),
    stop: () => lifecycle.stop(),
  };
}
