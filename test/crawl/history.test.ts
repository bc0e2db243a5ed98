import { describe, expect, test } from "bun:test";
import { Refusals } from "../../src/crawl/discover.ts";
import { SeenKeys } from "../../src/crawl/seen.ts";
import { Settler, type SettlerDeps } from "../../src/crawl/settle.ts";
import type { Db } from "../../src/db/connect.ts";
import type { VisitRow } from "../../src/db/visits.ts";
import { silentLog } from "../../src/log.ts";
import { until } from "../support/until.ts";

const visit: VisitRow = {
  ...{ urlId: 1, hostId: 1, claimedAt: null, fetchStartedAt: null, fetchedAt: null },
  ...{ parsedAt: null, indexedAt: null, settledAt: new Date(0), outcome: "fetched" },
  ...{ state: "pending", reason: null, status: 200, bytes: 1, address: null },
};

/** A store that is away for the first `times` statements, or for ever. */
function settlerWith(times: number) {
  const seen = { statements: 0, waits: 0, lost: 0 };
  const execute = async () => {
    if (++seen.statements > times) return [];
    throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
  };
  const db = { _: { session: { prepareQuery: () => ({ execute }) } } } as unknown as Db;
  const sleep = () => {
    seen.waits++;
    return new Promise<void>((done) => setImmediate(done));
  };
  const log = { ...silentLog, warn: () => seen.lost++ };
  const others = { seen: new SeenKeys(), refusals: new Refusals(), wake: () => {} };
  const deps = { db, clock: { now: () => 0, sleep }, log, ...others } as unknown as SettlerDeps;
  return { settler: new Settler(deps), seen };
}

describe("history", () => {
  test("waits for a store that is away, and is written when it is back", async () => {
    const { settler, seen } = settlerWith(3);
    settler.note(visit);
    await until(() => seen.statements === 4);
    expect(seen).toEqual({ statements: 4, waits: 3, lost: 0 });
    await settler.drain();
  });

  test("does not hold up a program that ends, and says what it lost", async () => {
    const { settler, seen } = settlerWith(Number.POSITIVE_INFINITY);
    settler.note(visit);
    await settler.drain();
    expect(seen.lost).toBe(1);
  });
});
