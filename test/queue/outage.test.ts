import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/db/embedded.ts";
import { readPostmaster } from "../../src/db/embedded-pid.ts";
import { silentLog } from "../../src/log.ts";
import { type Backend, openBackend } from "../../src/queue/backend.ts";
import { countWaiting, enqueueTurns } from "../../src/queue/enqueue.ts";
import { measureHealth, within } from "../../src/queue/health.ts";
import { startWorker } from "../../src/queue/worker.ts";
import { until } from "../support/until.ts";
import { hasRedis, startRedis } from "./carriers.ts";

setDefaultTimeout(60_000);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A worker that notes which hosts it took, and how often its carrier failed. */
function watch(backend: Backend) {
  const seen = { taken: new Set<number>(), errors: 0 };
  const worker = startWorker(
    backend,
    "turns",
    async ({ hostId }) => {
      seen.taken.add(hostId);
      return { kind: "done" };
    },
    { concurrency: 16, log: silentLog, onError: () => void seen.errors++ },
  );
  cleanups.push(() => worker.close(1_000));
  return seen;
}

async function carries(backend: Backend, seen: { taken: Set<number> }, hostId: number) {
  await until(
    async () => {
      await enqueueTurns(backend, [{ hostId, lane: 1 }]);
      return seen.taken.has(hostId);
    },
    { timeoutMs: 40_000, everyMs: 100, what: `host ${hostId}` },
  );
}

test("Postgres is killed and comes back: the same worker goes on, without a storm", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-outage-"));
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const started = await startEmbedded({ dataDir, log: silentLog });
  if (started.kind !== "running") throw new Error(started.message);
  cleanups.push(() => started.stop());
  const backend = await openBackend({ redisUrl: null, databaseUrl: started.url, log: silentLog });
  cleanups.push(() => backend.close());
  const seen = watch(backend);
  await carries(backend, seen, 1);

  for (const [hostId, signal] of [
    [2, "SIGKILL"],
    [3, "SIGINT"],
  ] as const) {
    const { pid } = readPostmaster(join(dataDir, "postgres"))!;
    process.kill(pid, signal);
    await carries(backend, seen, hostId);
    // The connection that a probe gets may be one that the server has just lost.
    await until(async () => (await backend.probe()) === "up");
  }
  expect(seen.errors).toBeLessThan(200);
});

describe.skipIf(!hasRedis)("Redis", () => {
  async function open() {
    const server = await startRedis();
    cleanups.push(() => server.stop());
    const backend = await openBackend({ redisUrl: server.url, databaseUrl: "", log: silentLog });
    cleanups.push(() => backend.close());
    await until(async () => (await backend.probe()) === "up");
    return { server, backend };
  }

  test("killed and started again, empty: the same worker goes on", async () => {
    const { server, backend } = await open();
    const seen = watch(backend);
    await carries(backend, seen, 1);
    await server.stop();
    expect(await backend.probe()).toBe("down");
    expect((await enqueueTurns(backend, [{ hostId: 2, lane: 1 }])).kind).toBe("refused");
    const again = await startRedis([], new URL(server.url).port);
    cleanups.push(() => again.stop());
    await carries(backend, seen, 2);
    expect(seen.errors).toBeLessThan(200);
  });

  test("full: it is there, and refuses", async () => {
    const server = await startRedis(["--maxmemory", "1", "--maxmemory-policy", "noeviction"]);
    cleanups.push(() => server.stop());
    const full = await openBackend({ redisUrl: server.url, databaseUrl: "", log: silentLog });
    cleanups.push(() => full.close());
    await until(async () => (await full.probe()) === "refused");
    expect((await enqueueTurns(full, [{ hostId: 1, lane: 1 }])).kind).toBe("refused");
  });

  test("frozen: no answer is told apart from a no, and nothing waits for ever", async () => {
    const { server, backend } = await open();
    process.kill(server.pid, "SIGSTOP");
    cleanups.push(() => process.kill(server.pid, "SIGCONT"));
    const [health, enqueued, waiting] = await Promise.all([
      backend.probe(),
      enqueueTurns(backend, [{ hostId: 1, lane: 1 }]),
      countWaiting(backend, "turns"),
    ]);
    expect(health).toBe("down");
    expect(enqueued.kind).toBe("refused");
    expect(waiting).toBeNull();
    process.kill(server.pid, "SIGCONT");
    await until(async () => (await backend.probe()) === "up");
  });

  test("not there at the start: found when it comes", async () => {
    const server = await startRedis();
    await server.stop();
    const backend = await openBackend({ redisUrl: server.url, databaseUrl: "", log: silentLog });
    cleanups.push(() => backend.close());
    const seen = watch(backend);
    expect(await backend.probe()).toBe("down");
    const late = await startRedis([], new URL(server.url).port);
    cleanups.push(() => late.stop());
    await carries(backend, seen, 1);
  });
});

test("health by the clock", async () => {
  const times = [0, 1_500];
  const slow = await measureHealth(
    async () => {},
    () => false,
    () => times.shift()!,
  );
  expect(slow).toBe("slow");
  const refuse = () => Promise.reject(new Error("OOM"));
  expect(
    await measureHealth(
      refuse,
      () => true,
      () => 0,
    ),
  ).toBe("refused");
  expect(
    await measureHealth(
      refuse,
      () => false,
      () => 0,
    ),
  ).toBe("down");
  expect(await within(new Promise(() => {}), 10)).toEqual({ kind: "timeout" });
});
