import { describe, expect, test } from "bun:test";
import { Pipeline } from "../../src/crawl/pipeline.ts";

const never = new AbortController().signal;

function pass(pipeline: Pipeline, pages: number, tookMs: number): void {
  for (let page = 0; page < pages; page++) {
    pipeline.enter();
    pipeline.leave(tookMs);
  }
}

describe("Pipeline", () => {
  test("grows while pages pass in time, up to its bound", () => {
    const pipeline = new Pipeline();
    const first = pipeline.limit;
    pass(pipeline, 1_000, 50);
    expect(pipeline.limit).toBeGreaterThan(first);
    pass(pipeline, 500_000, 50);
    expect(pipeline.limit).toBe(512);
  });

  test("shrinks when they are late, down to its bound, and once for all that were inside", () => {
    const pipeline = new Pipeline();
    const first = pipeline.limit;
    for (let page = 0; page < first; page++) pipeline.enter();
    for (let page = 0; page < first; page++) pipeline.leave(2_000);
    expect(pipeline.limit).toBeGreaterThan(first / 2);
    expect(pipeline.limit).toBeLessThan(first);
    pass(pipeline, 1_000, 2_000);
    expect(pipeline.limit).toBe(32);
  });

  test("waits for room, and lets in as many as left", async () => {
    const pipeline = new Pipeline();
    pass(pipeline, 1_000, 2_000);
    for (let page = 0; page < pipeline.limit; page++) pipeline.enter();
    let admitted = 0;
    const waiting = [0, 1].map(() =>
      pipeline.room(never).then(() => {
        pipeline.enter();
        admitted++;
      }),
    );
    await Promise.resolve();
    expect(admitted).toBe(0);
    pipeline.leave(50);
    await Promise.race(waiting);
    expect(admitted).toBe(1);
    expect(pipeline.inside).toBe(pipeline.limit);
    pipeline.leave(50);
    await Promise.all(waiting);
  });

  test("large bodies fill it before the count does", async () => {
    const pipeline = new Pipeline();
    for (let page = 0; page < 6; page++) pipeline.enter(650_000);
    expect(pipeline.inside).toBeLessThan(pipeline.limit);
    let isIn = false;
    const waiting = pipeline.room(never).then(() => {
      isIn = true;
    });
    for (let page = 0; page < 2; page++) pipeline.leave(50, 650_000);
    await Promise.resolve();
    expect(isIn).toBe(false);
    pipeline.leave(50, 650_000);
    await waiting;
  });

  test("an abort ends the wait", async () => {
    const pipeline = new Pipeline();
    while (pipeline.inside < pipeline.limit) pipeline.enter();
    const stop = new AbortController();
    const waiting = pipeline.room(stop.signal);
    stop.abort();
    await waiting;
  });
});
