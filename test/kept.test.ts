import { expect, test } from "bun:test";
import { kept } from "../src/kept.ts";

/** Readings that the test ends; each gives its number. */
function scene(keepMs = 500) {
  const open: { done(): Promise<void>; fail(): Promise<void> }[] = [];
  const world = { nowMs: 0, era: 0, open };
  let readings = 0;
  const ask = kept(
    () => {
      const number = ++readings;
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const over = async (end: () => void) => {
        end();
        await promise.catch(() => {});
      };
      open.push({
        done: () => over(() => resolve(number)),
        fail: () => over(() => reject(new Error("away"))),
      });
      return promise;
    },
    { keepMs, era: () => world.era, now: () => world.nowMs },
  );
  return { ask, world, read: () => readings };
}

test("one reading for all who ask while it lasts, and for a while after", async () => {
  const { ask, world, read } = scene();
  const both = [ask(), ask()];
  await world.open[0]!.done();
  expect(await Promise.all(both)).toEqual([1, 1]);
  world.nowMs = 499;
  expect(await ask()).toBe(1);
  world.nowMs = 500;
  void ask();
  expect(read()).toBe(2);
});

test("what takes long is kept nine times as long, but never for minutes", async () => {
  for (const [tookMs, keptMs] of [
    [200, 1_800],
    [1_000, 9_000],
    [9_000, 10_000],
  ] as const) {
    const { ask, world, read } = scene();
    void ask();
    world.nowMs = tookMs;
    await world.open[0]!.done();
    world.nowMs = tookMs + keptMs - 1;
    void ask();
    expect(read()).toBe(1);
    world.nowMs = tookMs + keptMs;
    void ask();
    expect(read()).toBe(2);
  }
});

test("a reading that hangs is given up, and what it says in the end is told to nobody new", async () => {
  const { ask, world } = scene();
  const hung = ask();
  world.nowMs = 9_999;
  expect(ask()).toBe(hung);
  world.nowMs = 30_000;
  const next = ask();
  expect(next).not.toBe(hung);
  await world.open[0]!.done();
  expect(ask()).toBe(next);
  await world.open[1]!.done();
  expect(await ask()).toBe(2);
});

test("alone and late: read again at once", async () => {
  const { ask, world } = scene();
  void ask();
  world.nowMs = 30_000;
  await world.open[0]!.done();
  void ask();
  await world.open[1]!.done();
  expect(await ask()).toBe(2);
});

test("after an outage the next question reads anew, whether a value was kept or under way", async () => {
  const { ask, world } = scene(5_000);
  void ask();
  await world.open[0]!.done();
  expect(await ask()).toBe(1);
  world.era = 1;
  const spanning = ask();
  world.nowMs = 4_000;
  world.era = 2;
  await world.open[1]!.done();
  expect(await spanning).toBe(2);
  void ask();
  await world.open[2]!.done();
  expect(await ask()).toBe(3);
});

test("a failure is told to those who waited for it and to nobody else", async () => {
  const { ask, world } = scene();
  const failing = ask();
  await world.open[0]!.fail();
  expect(failing).rejects.toThrow("away");
  void ask();
  await world.open[1]!.done();
  expect(await ask()).toBe(2);
});
