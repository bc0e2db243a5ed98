import { afterEach, describe, expect, test } from "bun:test";
import { getPriority } from "node:os";
import { systemClock } from "../src/clock.ts";
import { silentLog } from "../src/log.ts";
import { createThreads, type ThreadResult, type Threads } from "../src/threads.ts";
import type { ThreadOrder } from "./support/thread.ts";
import { until } from "./support/until.ts";

const BUDGET_MS = 400;
const open: Threads<ThreadOrder, unknown>[] = [];

function threads({ size = 1, queueMax = 1_000, entry = "thread.ts", budgetMs = BUDGET_MS } = {}) {
  const pool = createThreads<ThreadOrder, unknown>({
    url: new URL(`./support/${entry}`, import.meta.url),
    size,
    budgetMs,
    queueMax,
    clock: systemClock,
    log: silentLog,
  });
  open.push(pool);
  return pool;
}

afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close();
});

const echo = (value: unknown): ThreadOrder => ({ do: "echo", value });
const kinds = (results: ThreadResult<unknown>[]) => results.map((result) => result.kind);

test.skipIf(process.platform !== "linux")("threads give way to the main thread", async () => {
  const own = getPriority(0);
  const result = await threads().run({ do: "priority" });
  expect(result).toEqual({ kind: "done", value: Math.min(19, own + 10) });
  expect(getPriority(0)).toBe(own);
});

describe("a request that goes wrong", () => {
  const cases: [ThreadOrder, "budget" | "crash", RegExp][] = [
    [{ do: "loop" }, "budget", /400 ms/],
    [{ do: "regex" }, "budget", /400 ms/],
    [{ do: "throw" }, "crash", /no page at all/],
    [{ do: "throw later" }, "crash", /from a timer/],
    [{ do: "exit" }, "crash", /ended/],
  ];
  for (const [order, why, detail] of cases) {
    test(`${order.do}: told as ${why}, and takes no neighbour with it`, async () => {
      const pool = threads({ size: 2 });
      const before = Array.from({ length: 6 }, (_, at) => pool.run(echo(at)));
      const bad = pool.run(order);
      const after = Array.from({ length: 20 }, (_, at) => pool.run(echo(at)));
      const result = await bad;
      expect(result).toMatchObject({ kind: "killed", why });
      expect(result.kind === "killed" && result.detail).toMatch(detail);
      const others = await Promise.all([...before, ...after]);
      expect(others.every((other) => other.kind === "done")).toBe(true);
    });
  }

  test("the one ahead of it is run again, with its bytes", async () => {
    const pool = threads();
    await pool.run(echo("loaded"));
    const bad = pool.run({ do: "loop" });
    const body = new Uint8Array(5_000);
    const ahead = pool.run({ do: "length", body }, [body.buffer]);
    expect(await ahead).toEqual({ kind: "done", value: 5_000 });
    expect(await bad).toMatchObject({ kind: "killed", why: "budget" });
  });

  test("every request is bad: each is blamed once, the pool goes on", async () => {
    const pool = threads({ size: 2 });
    const bad = Array.from({ length: 6 }, () => pool.run({ do: "exit" }));
    expect(kinds(await Promise.all(bad))).toEqual(Array(6).fill("killed"));
    expect(await pool.run(echo("alive"))).toEqual({ kind: "done", value: "alive" });
  });

  test("a thread that cannot load is a crash, not a wait without end", async () => {
    const pool = threads({ entry: "thread-broken.ts" });
    const result = await pool.run(echo(1));
    expect(result).toMatchObject({ kind: "killed", why: "crash" });
  });

  test("a page that eats memory gives it back", async () => {
    const pool = threads({ budgetMs: 20_000 });
    await pool.run(echo(1));
    const before = process.memoryUsage().rss;
    expect(await pool.run({ do: "eat", megabytes: 200 })).toEqual({ kind: "done", value: 200 });
    await pool.run({ do: "exit" });
    await until(() => process.memoryUsage().rss < before + 100 * 2 ** 20, { what: "memory back" });
  });
});

describe("the pool", () => {
  test("keeps order on one thread, and every request its own answer", async () => {
    const pool = threads();
    const finished: number[] = [];
    const all = Array.from({ length: 200 }, async (_, at) => {
      const result = await pool.run(echo({ at }));
      finished.push(at);
      expect(result).toEqual({ kind: "done", value: { at } });
    });
    await Promise.all(all);
    expect(finished).toEqual(Array.from({ length: 200 }, (_, at) => at));
  });

  test("a short budget counts each request, not the line it stood in", async () => {
    const pool = threads();
    const all = Array.from({ length: 5 }, () => pool.run({ do: "busy", ms: BUDGET_MS / 3 }));
    expect(kinds(await Promise.all(all))).toEqual(Array(5).fill("done"));
  });

  test("a main thread busy through the budget does not kill what was done in time", async () => {
    const pool = threads();
    await pool.run(echo("loaded"));
    const quick = pool.run({ do: "busy", ms: 20 });
    for (const end = performance.now() + BUDGET_MS * 3; performance.now() < end; );
    expect(await quick).toEqual({ kind: "done", value: "was busy" });
  });

  test("a queue has an end", async () => {
    const pool = threads({ queueMax: 3 });
    await pool.run(echo("loaded"));
    // One runs, six wait in its thread, three in line.
    const all = Array.from({ length: 15 }, () => pool.run({ do: "busy", ms: 20 }));
    const results = kinds(await Promise.all(all));
    expect(results.filter((kind) => kind === "full").length).toBe(5);
    expect(results.slice(-5)).toEqual(Array(5).fill("full"));
  });

  test("transferred bytes are no longer ours", async () => {
    const pool = threads();
    await pool.run(echo("loaded"));
    const body = new Uint8Array(1_000);
    const result = pool.run({ do: "length", body }, [body.buffer]);
    expect(body.byteLength).toBe(0);
    expect(await result).toEqual({ kind: "done", value: 1_000 });
  });

  test("an abort ends the wait at once, of a request in line or running", async () => {
    const pool = threads({ budgetMs: 5_000 });
    await pool.run(echo("loaded"));
    const control = new AbortController();
    const all = Array.from({ length: 4 }, () =>
      pool.run({ do: "busy", ms: 100 }, [], control.signal),
    );
    control.abort();
    expect(kinds(await Promise.all(all))).toEqual(Array(4).fill("full"));
    expect(await pool.run(echo("next"))).toEqual({ kind: "done", value: "next" });
  });

  test("closing answers everybody, and nothing is taken afterwards", async () => {
    const pool = threads();
    const all = Array.from({ length: 4 }, () => pool.run({ do: "loop" }));
    await pool.close();
    expect(kinds(await Promise.all(all))).toEqual(Array(4).fill("full"));
    expect(await pool.run(echo(1))).toEqual({ kind: "full" });
  });
});
