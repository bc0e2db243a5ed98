import { expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { openBackend } from "../../src/queue/backend.ts";
import { countWaiting, enqueueTurns } from "../../src/queue/enqueue.ts";
import { type Handler, startWorker } from "../../src/queue/worker.ts";
import { until } from "../support/until.ts";
import { aborted, describeCarried, untilEmpty } from "./carriers.ts";

const PROGRAM = join(import.meta.dir, "../support/worker-process.ts");

describeCarried("the fate of a job", (carried) => {
  test("a finished job leaves nothing behind", async () => {
    carried.work("turns", async () => ({ kind: "done" }));
    await enqueueTurns(carried.backend, [{ hostId: 1, lane: 1 }]);
    await untilEmpty(carried.backend, "turns");
  });

  test("a handler that throws is reported; the job fails for good and blocks nothing", async () => {
    const errors: string[] = [];
    let runs = 0;
    carried.work(
      "turns",
      async () => {
        runs++;
        throw new Error("a bug");
      },
      { onError: (error) => errors.push(error.message) },
    );
    await enqueueTurns(carried.backend, [{ hostId: 1, lane: 1 }]);
    await until(() => errors.length > 0);
    await until(async () => {
      await enqueueTurns(carried.backend, [{ hostId: 1, lane: 1 }]);
      return runs >= 2;
    });
    expect(errors[0]).toBe("a bug");
  });

  test("a payload of another shape never reaches the handler", async () => {
    const errors: string[] = [];
    let runs = 0;
    carried.work(
      "turns",
      async () => {
        runs++;
        return { kind: "done" };
      },
      { onError: (error) => errors.push(error.message) },
    );
    await carried.backend.queue("turns").add("turn", { hostId: "1; drop table" });
    await until(() => errors.length > 0);
    expect(errors[0]).toMatch(/carries no payload/);
    expect(runs).toBe(0);
  });

  test("a snoozed job comes back and no attempt is counted", async () => {
    const at: number[] = [];
    carried.work("turns", async () => {
      at.push(Date.now());
      return at.length < 4 ? { kind: "snooze", at: Date.now() + 300 } : { kind: "done" };
    });
    await enqueueTurns(carried.backend, [{ hostId: 1, lane: 1 }]);
    await until(() => at.length === 4);
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(290);
  });
});

describeCarried("the lock of a job", (carried) => {
  test("a job whose worker was killed runs again within seconds, time after time", async () => {
    await enqueueTurns(carried.backend, [{ hostId: 7, lane: 1 }]);
    for (let kill = 0; kill < 2; kill++) {
      const child = Bun.spawn(
        [process.execPath, PROGRAM, carried.place.redisUrl ?? "-", carried.place.databaseUrl],
        { stdout: "pipe" },
      );
      for await (const line of child.stdout) {
        expect(new TextDecoder().decode(line)).toBe("took 7\n");
        break;
      }
      child.kill("SIGKILL");
      await child.exited;
    }
    const killedAt = Date.now();
    let takenAt = 0;
    carried.work("turns", async () => {
      takenAt = Date.now();
      return { kind: "done" };
    });
    await until(() => takenAt > 0, { timeoutMs: 15_000 });
    expect(takenAt - killedAt).toBeLessThan(10_000);
  });

  test("a job longer than its lock is not given to a second worker", async () => {
    let runs = 0;
    const slow: Handler<"turns"> = async (_, signal) => {
      runs++;
      await systemClock.sleep(4_000, signal);
      return { kind: "done" };
    };
    carried.work("turns", slow);
    carried.work("turns", slow);
    await enqueueTurns(carried.backend, [{ hostId: 1, lane: 1 }]);
    await until(() => runs === 1);
    await untilEmpty(carried.backend, "turns");
    expect(runs).toBe(1);
  });
});

describeCarried("drain", (carried) => {
  test("a drain aborts the signals and waits for the handlers", async () => {
    let state = "idle";
    const worker = carried.work("turns", async (_, signal) => {
      state = "running";
      await aborted(signal);
      state = `ended by ${signal.reason}`;
      return { kind: "done" };
    });
    await enqueueTurns(carried.backend, [{ hostId: 1, lane: 1 }]);
    await until(() => state === "running");
    expect(await worker.close(5_000)).toBe("drained");
    expect(state).toBe("ended by drain");
  });

  test("a job that comes while a worker drains is left to others", async () => {
    const taken: number[] = [];
    const worker = carried.work("turns", async ({ hostId }) => {
      taken.push(hostId);
      return { kind: "done" };
    });
    await enqueueTurns(carried.backend, [{ hostId: 1, lane: 1 }]);
    await until(() => taken.length === 1);
    const closed = worker.close(5_000);
    await enqueueTurns(carried.backend, [{ hostId: 2, lane: 1 }]);
    expect(await closed).toBe("drained");
    await until(async () => (await countWaiting(carried.backend, "turns")) === 1);
    expect(taken).toEqual([1]);
  });

  test("a drain ends at its deadline when a handler does not", async () => {
    const other = await openBackend({ ...carried.place, log: silentLog });
    let isRunning = false;
    const stuck = startWorker(
      other,
      "turns",
      () => {
        isRunning = true;
        return new Promise(() => {});
      },
      { concurrency: 1, log: silentLog },
    );
    await enqueueTurns(carried.backend, [{ hostId: 1, lane: 1 }]);
    await until(() => isRunning);
    const startedAt = Date.now();
    expect(await stuck.close(300)).toBe("cut off");
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    await other.close();
  });
});
