import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { silentLog } from "../../src/log.ts";
import { type Backend, openBackend } from "../../src/queue/backend.ts";
import { emptyDatabaseUrl } from "../support/database.ts";
import { until } from "../support/until.ts";

/** A carrier of its own for a test file, and the means to open it from other processes. */
export interface Carrier {
  readonly name: "postgres" | "redis";
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
  open(): Promise<Backend>;
  close(): Promise<void>;
}

const REDIS = "/usr/bin/redis-server";

/** Both carriers; Redis only where its server is installed, which a skipped test says. */
export const CARRIERS: readonly ["postgres" | "redis", boolean][] = [
  ["postgres", true],
  ["redis", existsSync(REDIS)],
];

export async function startCarrier(name: "postgres" | "redis"): Promise<Carrier> {
  return name === "postgres" ? postgresCarrier() : redisCarrier();
}

async function postgresCarrier(): Promise<Carrier> {
  const databaseUrl = await emptyDatabaseUrl();
  return {
    name: "postgres",
    redisUrl: null,
    databaseUrl,
    open: () => openBackend({ redisUrl: null, databaseUrl, log: silentLog }),
    close: async () => {},
  };
}

async function redisCarrier(): Promise<Carrier> {
  const server = await startRedis();
  return {
    name: "redis",
    redisUrl: server.url,
    databaseUrl: "",
    open: () => openBackend({ redisUrl: server.url, databaseUrl: "", log: silentLog }),
    close: server.stop,
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
  const child = Bun.spawn(
    [REDIS, "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...options],
    { stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  );
  const url = `redis://127.0.0.1:${port}`;
  await until(() => answers(url), { what: "redis-server" });
  return {
    url,
    pid: child.pid,
    stop: async () => {
      child.kill("SIGKILL");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
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

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
