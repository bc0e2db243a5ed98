import { describe, expect, test } from "bun:test";
import type { Slot } from "../../src/fetch/outcome.ts";
import { AddressLine } from "../../src/visit/address-line.ts";
import { ManualClock } from "../support/clock.ts";

function line(ipDelayMs: number, ipConcurrency: number, mayStart = () => true) {
  const clock = new ManualClock(0);
  return { clock, line: new AddressLine(0, { ipDelayMs, ipConcurrency }, mayStart, clock) };
}

describe("AddressLine", () => {
  test("starts are spaced from the moment each request is sent", async () => {
    const { clock, line: entrance } = line(200, 4);
    const starts: number[] = [];
    const asked = Array.from({ length: 5 }, async () => {
      const slot = (await entrance.enter(12_000))!;
      // The request leaves 30 ms after it was let in, as behind a slow connect.
      await clock.sleep(30);
      starts.push(clock.now());
      slot.sent();
      slot.release();
    });
    await clock.advance(3_000);
    await Promise.all(asked);
    const gaps = starts.slice(1).map((start, at) => start - starts[at]!);
    expect(gaps).toHaveLength(4);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200);
    expect(Math.max(...gaps)).toBeLessThan(240);
  });

  test("no more in flight than allowed, first come first served", async () => {
    const { clock, line: entrance } = line(0, 2);
    const inside: number[] = [];
    const slots = new Map<number, Slot>();
    for (let at = 0; at < 4; at++) {
      void entrance.enter(12_000).then((slot) => {
        inside.push(at);
        slots.set(at, slot!);
      });
    }
    await clock.advance(1_000);
    expect(inside).toEqual([0, 1]);
    slots.get(1)!.release();
    slots.get(1)!.release();
    await clock.advance(0);
    expect(inside).toEqual([0, 1, 2]);
    slots.get(0)!.release();
    await clock.advance(0);
    expect(inside).toEqual([0, 1, 2, 3]);
  });

  test("a wait that cannot succeed is refused at once; an abort leaves the line", async () => {
    const { clock, line: entrance } = line(1_000, 1);
    const held = await entrance.enter(5_000);
    expect(held).not.toBeNull();
    const leaving = new AbortController();
    const waiting = Array.from({ length: 5 }, () => entrance.enter(5_000, leaving.signal));
    expect(await entrance.enter(5_000)).toBeNull();
    leaving.abort();
    expect(await Promise.all(waiting)).toEqual([null, null, null, null, null]);
    held!.release();
    await clock.advance(10_000);
    expect(entrance.idle).toBe(true);
  });

  test("closed: nobody is let in any more", async () => {
    const { line: entrance } = line(0, 1);
    const slot = (await entrance.enter(5_000))!;
    const waiting = entrance.enter(5_000);
    entrance.close();
    expect(await waiting).toBeNull();
    expect(await entrance.enter(5_000)).toBeNull();
    slot.release();
    expect(entrance.idle).toBe(true);
  });

  test("a worker that is not fresh starts nothing", async () => {
    const { line: entrance } = line(0, 1, () => false);
    expect(await entrance.enter(5_000)).toBeNull();
    expect(entrance.idle).toBe(true);
  });
});
