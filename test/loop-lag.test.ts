import { afterEach, describe, expect, test } from "bun:test";
import { LagWindow, LoopLagMeter } from "../src/loop-lag.ts";
import { until } from "./support/until.ts";

describe("a window of 100 moments, 20 ms apart", () => {
  const filled = (...lateMs: number[]) => {
    const window = new LagWindow(20, 2_000);
    for (const late of lateMs) window.add(late);
    return window.read();
  };
  const quiet = Array.from({ length: 98 }, () => 1);

  test.each([
    ["nothing yet", [], null],
    ["one tick", [3], { p50Ms: 3, p99Ms: 3, maxMs: 3 }],
    ["one tick before its time", [-0.5], { p50Ms: 0, p99Ms: 0, maxMs: 0 }],
    ["a short stall among a hundred", [1, ...quiet, 19], { p50Ms: 1, p99Ms: 1, maxMs: 19 }],
    ["two of them", [19, ...quiet, 19], { p50Ms: 1, p99Ms: 19, maxMs: 19 }],
    ["a long stall, which held up three more", [...quiet, 70], { p50Ms: 1, p99Ms: 50, maxMs: 70 }],
    ["a stall that has left", [500, ...quiet, ...quiet], { p50Ms: 1, p99Ms: 1, maxMs: 1 }],
    [
      "longer than the window",
      [3_600_000],
      { p50Ms: 3_599_000, p99Ms: 3_599_980, maxMs: 3_600_000 },
    ],
  ] as const)("%s", (_, lateMs, wanted) => {
    expect(filled(...lateMs)).toEqual(wanted);
  });
});

describe("the meter of this process", () => {
  const meter = new LoopLagMeter();
  afterEach(() => meter.stop());

  test("sees a loop that is held, and how long", async () => {
    expect(meter.read()).toBeNull();
    meter.start();
    await until(() => meter.read());
    hold(300);
    const { p50Ms, p99Ms, maxMs } = await until(() => {
      const lag = meter.read()!;
      return lag.maxMs > 250 ? lag : null;
    });
    expect(maxMs).toBeLessThan(1_000);
    expect(p99Ms).toBeGreaterThan(200);
    // Half of what was due meanwhile waited for less.
    expect(p50Ms).toBeLessThan(maxMs);
  });

  test("keeps no process alive, and ends with it", async () => {
    const script = `
      import { LoopLagMeter } from "${import.meta.dir}/../src/loop-lag.ts";
      new LoopLagMeter().start();`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "inherit" });
    expect(await child.exited).toBe(0);
  });
});

function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
