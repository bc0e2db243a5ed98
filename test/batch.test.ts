import { describe, expect, test } from "bun:test";
import { Batcher } from "../src/batch.ts";
import { pause } from "./support/pause.ts";

const limits = { itemsMax: 3, waitMs: 1, parallel: 1 };

describe("Batcher", () => {
  test("gathers what comes together, answers each its own, within itemsMax", async () => {
    const batches: number[][] = [];
    const doubled = new Batcher<number, number>(async (items) => {
      batches.push(items);
      return items.map((item) => item * 2);
    }, limits);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => doubled.add(item)));
    expect(answers).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(batches.flat()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(3);
  });

  test("a failing batch fails its own items only", async () => {
    const batcher = new Batcher<number, number>(async (items) => {
      if (items.includes(2)) throw new Error("two");
      return items;
    }, limits);
    const [first, second] = await Promise.allSettled([
      Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)]),
      batcher.add(4),
    ]);
    expect(first.status).toBe("rejected");
    expect(second).toEqual({ status: "fulfilled", value: 4 });
  });

  test("no more batches at once than allowed", async () => {
    let running = 0;
    let most = 0;
    const batcher = new Batcher<number, number>(
      async (items) => {
        most = Math.max(most, ++running);
        await new Promise((done) => setTimeout(done));
        running--;
        return items;
      },
      { itemsMax: 1, waitMs: 0, parallel: 2 },
    );
    await Promise.all(Array.from({ length: 9 }, (_, item) => batcher.add(item)));
    expect(most).toBe(2);
  });

  test("drain waits for all that was added", async () => {
    const done: number[] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        await Promise.resolve();
        done.push(...items);
        return items;
      },
      { ...limits, waitMs: 60_000 },
    );
    const added = [batcher.add(1), batcher.add(2), batcher.add(3), batcher.add(4)];
    await batcher.drain();
    expect(done).toEqual([1, 2, 3, 4]);
    await Promise.all(added);
  });

  test("an answer that is missing is a bug, and told", async () => {
    const batcher = new Batcher<number, number>(async () => [], limits);
    await expect(batcher.add(1)).rejects.toThrow("lost some of its answers");
  });

  test("items that come fast wait longer, for larger batches; a single one does not", async () => {
    const sizes: number[] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        sizes.push(items.length);
        return items;
      },
      { itemsMax: 1_000, waitMs: 1, busyWaitMs: 300, parallel: 1 },
    );
    const added: Promise<number>[] = [];
    for (let at = 0; at < 100; at++) {
      added.push(batcher.add(at));
      await pause(2);
    }
    await Promise.all(added);
    const busiest = Math.max(...sizes);
    expect(busiest).toBeGreaterThan(8);
    expect(sizes.length).toBeLessThan(60);
    await pause(1_000);
    const began = performance.now();
    await batcher.add(1);
    expect(performance.now() - began).toBeLessThan(250);
  });
});
