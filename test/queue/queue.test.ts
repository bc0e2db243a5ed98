import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import type { Backend } from "../../src/queue/backend.ts";
import { runCommand } from "../../src/queue/commands.ts";
import { countWaiting, enqueueEnrich, enqueueTurns, repeatTick } from "../../src/queue/enqueue.ts";
import type { QueueName } from "../../src/queue/queues.ts";
import { type Handler, type RunningWorker, startWorker } from "../../src/queue/worker.ts";
import { until } from "../support/until.ts";
import { CARRIERS, type Carrier, startCarrier } from "./carriers.ts";

setDefaultTimeout(30_000);

const PROGRAM = join(import.meta.dir, "../support/worker-process.ts");

for (const [name, isThere] of CARRIERS) {
  describe.skipIf(!isThere)(`carried by ${name}`, () => {
    let carrier: Carrier;
    let backend: Backend;
    const workers: RunningWorker[] = [];

    beforeAll(async () => {
      carrier = await startCarrier(name);
      backend = await carrier.open();
    });
    afterEach(async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.close(2_000)));
      const names: QueueName[] = ["turns", "commands", "enrich", "ticks"];
      for (const queue of names) await backend.queue(queue).obliterate({ force: true });
    });
    afterAll(async () => {
      await backend.close();
      await carrier.close();
    });

    function work<N extends QueueName>(
      queue: N,
      handler: Handler<N>,
      settings: { concurrency?: number; onError?: (error: Error) => void } = {},
    ): RunningWorker {
      const worker = startWorker(backend, queue, handler, {
        concurrency: 8,
        log: silentLog,
        ...settings,
      });
      workers.push(worker);
      return worker;
    }

    test("every host gets one job, however often it is wanted, until that job ends", async () => {
      const wanted = [1, 2, 3, 2, 1].map((hostId) => ({ hostId, lane: 1 }));
      expect(await enqueueTurns(backend, wanted)).toEqual({ kind: "enqueued" });
      await enqueueTurns(backend, wanted);
      expect(await countWaiting(backend, "turns")).toBe(3);

      const taken: number[] = [];
      let release = () => {};
      const gate = new Promise<void>((done) => {
        release = done;
      });
      work("turns", async ({ hostId }) => {
        taken.push(hostId);
        await gate;
        return { kind: "done" };
      });
      await until(() => taken.length === 3);
      await enqueueTurns(backend, wanted);
      expect(await countWaiting(backend, "turns")).toBe(0);
      release();
      await until(async () => {
        await enqueueTurns(backend, [{ hostId: 2, lane: 1 }]);
        return taken.length > 3;
      });
      expect(taken.slice(0, 3).sort()).toEqual([1, 2, 3]);
      expect(taken.slice(3).every((hostId) => hostId === 2)).toBe(true);
    });

    test("lane 0 goes before those that stand there", async () => {
      await enqueueTurns(
        backend,
        [1, 2, 3].map((hostId) => ({ hostId, lane: 1 })),
      );
      await enqueueTurns(backend, [{ hostId: 9, lane: 0 }]);
      const taken: number[] = [];
      work(
        "turns",
        async ({ hostId }) => {
          taken.push(hostId);
          return { kind: "done" };
        },
        { concurrency: 1 },
      );
      await until(() => taken.length === 4);
      expect(taken).toEqual([9, 1, 2, 3]);
    });

    test("a finished job leaves nothing behind", async () => {
      work("turns", async () => ({ kind: "done" }));
      await enqueueTurns(backend, [{ hostId: 1, lane: 1 }]);
      await until(async () => {
        const counts = await backend.queue("turns").getJobCounts();
        return Object.values(counts).every((count) => count === 0);
      });
    });

    test("a handler that throws is reported; the job fails for good and blocks nothing", async () => {
      const errors: string[] = [];
      let runs = 0;
      work(
        "turns",
        async () => {
          runs++;
          throw new Error("a bug");
        },
        { onError: (error) => errors.push(error.message) },
      );
      await enqueueTurns(backend, [{ hostId: 1, lane: 1 }]);
      await until(() => errors.length > 0);
      await until(async () => {
        await enqueueTurns(backend, [{ hostId: 1, lane: 1 }]);
        return runs === 2;
      });
      expect(errors[0]).toBe("a bug");
    });

    test("a payload of another shape never reaches the handler", async () => {
      const errors: string[] = [];
      let runs = 0;
      work(
        "turns",
        async () => {
          runs++;
          return { kind: "done" };
        },
        { onError: (error) => errors.push(error.message) },
      );
      await backend.queue("turns").add("turn", { hostId: "1; drop table" });
      await until(() => errors.length > 0);
      expect(errors[0]).toMatch(/carries no payload/);
      expect(runs).toBe(0);
    });

    test("a snoozed job comes back and no attempt is counted", async () => {
      const at: number[] = [];
      work("turns", async () => {
        at.push(Date.now());
        return at.length < 4 ? { kind: "snooze", at: Date.now() + 300 } : { kind: "done" };
      });
      await enqueueTurns(backend, [{ hostId: 1, lane: 1 }]);
      await until(() => at.length === 4);
      expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(290);
    });

    test("a job whose worker was killed runs again within seconds, time after time", async () => {
      await enqueueTurns(backend, [{ hostId: 7, lane: 1 }]);
      for (let kill = 0; kill < 2; kill++) {
        const child = Bun.spawn(
          [process.execPath, PROGRAM, carrier.redisUrl ?? "-", carrier.databaseUrl],
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
      work("turns", async () => {
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
        await Promise.race([Bun.sleep(4_000), aborted(signal)]);
        return { kind: "done" };
      };
      work("turns", slow);
      work("turns", slow);
      await enqueueTurns(backend, [{ hostId: 1, lane: 1 }]);
      await until(() => runs === 1);
      await until(
        async () =>
          Object.values(await backend.queue("turns").getJobCounts()).every((n) => n === 0),
        { timeoutMs: 15_000 },
      );
      expect(runs).toBe(1);
    });

    test("pause takes nothing new, resume goes on", async () => {
      const taken: number[] = [];
      const worker = work("turns", async ({ hostId }) => {
        taken.push(hostId);
        return { kind: "done" };
      });
      await enqueueTurns(backend, [{ hostId: 1, lane: 1 }]);
      await until(() => taken.length === 1);
      await worker.pause();
      await enqueueTurns(backend, [{ hostId: 2, lane: 1 }]);
      await until(async () => (await countWaiting(backend, "turns")) === 1);
      await worker.resume();
      await until(() => taken.length === 2);
    });

    test("a drain aborts the signals and waits for the handlers", async () => {
      let state = "idle";
      const worker = work("turns", async (_, signal) => {
        state = "running";
        await aborted(signal);
        state = `ended by ${signal.reason}`;
        return { kind: "done" };
      });
      await enqueueTurns(backend, [{ hostId: 1, lane: 1 }]);
      await until(() => state === "running");
      expect(worker.active).toBe(1);
      expect(await worker.close(5_000)).toBe("drained");
      expect(state).toBe("ended by drain");
    });

    test("a drain ends at its deadline when a handler does not", async () => {
      const other = await carrier.open();
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
      await enqueueTurns(backend, [{ hostId: 1, lane: 1 }]);
      await until(() => isRunning);
      const startedAt = Date.now();
      expect(await stuck.close(300)).toBe("cut off");
      expect(Date.now() - startedAt).toBeLessThan(3_000);
      await other.close();
    });

    test("a tick repeats, once for all who ask", async () => {
      const seen: string[] = [];
      work("ticks", async ({ tick }) => {
        seen.push(tick);
        return { kind: "done" };
      });
      await repeatTick(backend, "often", 200);
      await repeatTick(backend, "often", 200);
      await until(() => seen.length >= 3);
      expect(await backend.queue("ticks").getJobSchedulersCount()).toBe(1);
      await backend.queue("ticks").removeJobScheduler("often");
    });

    test("one enrichment stands at a time", async () => {
      await enqueueEnrich(backend);
      await enqueueEnrich(backend);
      expect(await countWaiting(backend, "enrich")).toBe(1);
    });

    describe("commands", () => {
      const patient = { pickupMs: 5_000, timeoutMs: 10_000 };

      test("the answer comes back", async () => {
        work("commands", async ({ command, args }) => ({
          kind: "done",
          result: { command, args },
        }));
        const answer = await runCommand(backend, "reindex", { full: true }, patient);
        const result = { command: "reindex", args: { full: true } };
        expect(answer).toEqual({ kind: "done", result });
      });

      test("so does a failure, and a bug", async () => {
        work("commands", async ({ command }) => {
          if (command === "bug") throw new Error("a bug");
          return { kind: "failed", message: "no such index" };
        });
        const [failed, bug] = await Promise.all([
          runCommand(backend, "reindex", null, patient),
          runCommand(backend, "bug", null, patient),
        ]);
        expect(failed).toEqual({ kind: "failed", message: "no such index" });
        expect(bug).toEqual({ kind: "failed", message: "a bug" });
      });

      test("nobody there: it is taken back", async () => {
        const answer = await runCommand(backend, "reindex", null, {
          pickupMs: 300,
          timeoutMs: 5_000,
        });
        expect(answer).toEqual({ kind: "nobody" });
        expect(await countWaiting(backend, "commands")).toBe(0);
      });

      test("taken, but not answered in time", async () => {
        work("commands", async (_, signal) => {
          await aborted(signal);
          return { kind: "done" };
        });
        const answer = await runCommand(backend, "reindex", null, {
          pickupMs: 3_000,
          timeoutMs: 500,
        });
        expect(answer).toEqual({ kind: "timeout" });
      });
    });

    test("the health of a carrier that works", async () => {
      expect(await backend.probe()).toBe("up");
    });
  });
}

test.skipIf(CARRIERS[1]![1])(
  "(skipped: no redis-server here, Redis as carrier is untested)",
  () => {},
);

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    signal.addEventListener("abort", () => done(), { once: true });
  });
}
