import { expect, test } from "bun:test";
import { countWaiting, enqueueEnrich, enqueueTurns, repeatTick } from "../../src/queue/enqueue.ts";
import { until } from "../support/until.ts";
import { describeCarried } from "./carriers.ts";

describeCarried("turns", (carried) => {
  test("every host gets one job, however often it is wanted, until that job ends", async () => {
    const wanted = [1, 2, 3, 2, 1].map((hostId) => ({ hostId, lane: 1 }));
    expect(await enqueueTurns(carried.backend, wanted)).toEqual({ kind: "enqueued" });
    await enqueueTurns(carried.backend, wanted);
    expect(await countWaiting(carried.backend, "turns")).toBe(3);

    const taken: number[] = [];
    let release = () => {};
    const gate = new Promise<void>((done) => {
      release = done;
    });
    carried.work("turns", async ({ hostId }) => {
      taken.push(hostId);
      await gate;
      return { kind: "done" };
    });
    await until(() => taken.length === 3);
    await enqueueTurns(carried.backend, wanted);
    expect(await countWaiting(carried.backend, "turns")).toBe(0);
    release();
    await until(async () => {
      await enqueueTurns(carried.backend, [{ hostId: 2, lane: 1 }]);
      return taken.length > 3;
    });
    expect(taken.slice(0, 3).sort()).toEqual([1, 2, 3]);
    expect(taken.slice(3).every((hostId) => hostId === 2)).toBe(true);
  });

  test("lane 0 goes before those that stand there", async () => {
    await enqueueTurns(
      carried.backend,
      [1, 2, 3].map((hostId) => ({ hostId, lane: 1 })),
    );
    await enqueueTurns(carried.backend, [{ hostId: 9, lane: 0 }]);
    const taken: number[] = [];
    carried.work(
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
});

describeCarried("what repeats", (carried) => {
  test("a tick repeats, once for all who ask", async () => {
    const seen: string[] = [];
    carried.work("ticks", async ({ tick }) => {
      seen.push(tick);
      return { kind: "done" };
    });
    await repeatTick(carried.backend, "often", 200);
    await repeatTick(carried.backend, "often", 200);
    await until(() => seen.length >= 3);
    expect(await carried.backend.queue("ticks").getJobSchedulersCount()).toBe(1);
    await carried.backend.queue("ticks").removeJobScheduler("often");
  });

  test("one enrichment stands at a time", async () => {
    await enqueueEnrich(carried.backend);
    await enqueueEnrich(carried.backend);
    expect(await countWaiting(carried.backend, "enrich")).toBe(1);
  });

  test("the health of a carrier that works", async () => {
    expect(await carried.backend.probe()).toBe("up");
  });
});
