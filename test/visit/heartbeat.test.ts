import { afterEach, describe, expect, test } from "bun:test";
import { silentLog } from "../../src/log.ts";
import { Heartbeat, LEASE_TTL_MS } from "../../src/visit/heartbeat.ts";
import { ManualClock } from "../support/clock.ts";
import { until } from "../support/until.ts";

let heartbeat: Heartbeat | null = null;
afterEach(() => heartbeat?.stop());

function beating(answers: (() => Promise<{ lost: boolean }>)[] = []) {
  const clock = new ManualClock();
  const ids: string[] = [];
  heartbeat = new Heartbeat(
    async (id) => {
      ids.push(id);
      return (await answers.shift()?.()) ?? { lost: false };
    },
    clock,
    silentLog,
  );
  const lost: string[] = [];
  heartbeat.onLost((id) => lost.push(id));
  return { clock, ids, lost, heartbeat };
}

describe("Heartbeat", () => {
  test("is fresh after a beat, and stale before others may take over", async () => {
    const { heartbeat, clock } = beating();
    expect(heartbeat.isFresh()).toBe(false);
    await heartbeat.start();
    expect(heartbeat.isFresh()).toBe(true);
    clock.jump(LEASE_TTL_MS - 501);
    expect(heartbeat.isFresh()).toBe(true);
    clock.jump(1);
    expect(heartbeat.isFresh()).toBe(false);
  });

  test("frozen for longer than the lease lives: it goes on under a new id", async () => {
    const { heartbeat, clock, ids, lost } = beating();
    await heartbeat.start();
    const first = heartbeat.id;
    clock.jump(20_000);
    expect(heartbeat.isFresh(first)).toBe(false);
    await until(() => ids.length > 1 && ids.at(-1) !== first);
    expect(lost).toEqual([first]);
    expect(heartbeat.isFresh(first)).toBe(false);
    await until(() => heartbeat.isFresh());
  });

  test("given up by the store: the same", async () => {
    const { heartbeat, lost } = beating([
      async () => ({ lost: false }),
      async () => ({ lost: true }),
    ]);
    await heartbeat.start();
    const first = heartbeat.id;
    await until(() => lost.length > 0);
    expect(lost).toEqual([first]);
    await until(() => heartbeat.isFresh());
    expect(heartbeat.id).not.toBe(first);
  });

  test("a beat that hangs does not hide that the leases are over", async () => {
    const hang = () => new Promise<never>(() => {});
    const { heartbeat, clock, ids, lost } = beating([async () => ({ lost: false }), hang]);
    await heartbeat.start();
    const first = heartbeat.id;
    await until(() => ids.length === 2);
    clock.jump(LEASE_TTL_MS);
    await until(() => lost.length > 0);
    expect(lost).toEqual([first]);
    await until(() => heartbeat.isFresh());
  }, 15_000);

  test("a beat that is answered too late does not bring the leases back", async () => {
    const { promise, resolve } = Promise.withResolvers<{ lost: boolean }>();
    const { heartbeat, clock, ids, lost } = beating([async () => ({ lost: false }), () => promise]);
    await heartbeat.start();
    const first = heartbeat.id;
    await until(() => ids.length === 2);
    clock.jump(LEASE_TTL_MS);
    expect(heartbeat.isFresh(first)).toBe(false);
    resolve({ lost: false });
    await until(() => heartbeat.isFresh());
    expect(lost).toEqual([first]);
    expect(heartbeat.id).not.toBe(first);
  });

  test("a store that is away makes it stale, not dead", async () => {
    const down = async () => {
      throw new Error("connection refused");
    };
    const { heartbeat, clock, ids } = beating([async () => ({ lost: false }), down, down]);
    await heartbeat.start();
    await until(() => ids.length >= 3);
    clock.jump(LEASE_TTL_MS);
    expect(heartbeat.isFresh()).toBe(false);
    await until(() => heartbeat.isFresh());
  });
});
