import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { claimContent } from "../../src/db/content.ts";
import { conservation } from "../../src/db/counts.ts";
import { readDocument } from "../../src/db/documents.ts";
import { readHost, setHostState } from "../../src/db/hosts.ts";
import { applyUrls, deleteUrls, readUrls } from "../../src/db/operate-urls.ts";
import { releaseUrls, settleUrls } from "../../src/db/settle-urls.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, claimAll, indexed, keyOf, success, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());

const rowOf = async (id: number) => (await readUrls(db, [id]))[0]!;

describe("a move", () => {
  test("is written to a row that is as it was read, and wakes its host in its lane", async () => {
    const [id] = await admitPaths(db, "move.test", ["/"]);
    const host = await hostNamed(db, "move.test");
    await db.execute(sql`update urls set state = 'failed', attempts = 4, reason = 'timeout'
      where id = ${id!}`);
    const parked = { state: "parked", reason: null, nextTurnAt: null } as const;
    await setHostState(db, { id: host.id, ...parked });
    const before = await rowOf(id!);
    const columns = { attempts: 0, reason: null, priority: 255, hops: 0, nextCrawlAt: new Date() };
    const move = { before, state: "pending", columns, lane: 0 } as const;
    expect(await applyUrls(db, [move])).toEqual(new Set([id!]));
    expect(await rowOf(id!)).toEqual({ ...before, ...columns, state: "pending" });
    const after = (await readHost(db, host.id))!;
    expect(after).toMatchObject({ state: "active", lane: 0 });
    expect(after.nextTurnAt!.getTime()).toBeLessThanOrEqual(Date.now() + 50);
    expect(await applyUrls(db, [move])).toEqual(new Set());
  });

  test("that a person asked for wakes a dead host, no other does", async () => {
    for (const lane of [1, 0] as const) {
      const [id] = await admitPaths(db, `dead-${lane}.test`, ["/"]);
      const before = await rowOf(id!);
      const later = new Date(Date.now() + 3_600_000);
      const dead = { id: before.hostId, state: "dead", reason: null, nextTurnAt: later } as const;
      await setHostState(db, dead);
      await applyUrls(db, [{ before, state: "pending", columns: {}, lane }]);
      const { nextTurnAt } = (await readHost(db, before.hostId))!;
      if (lane === 1) expect(nextTurnAt).toEqual(later);
      else expect(nextTurnAt!.getTime()).toBeLessThanOrEqual(Date.now() + 50);
    }
  });

  test("loses against a visit that claimed or settled meanwhile", async () => {
    const ids = await admitPaths(db, "late.test", ["/1", "/2", "/3"]);
    const before = await readUrls(db, ids);
    const turn = await turnAt(db, "late.test");
    const claimed = await claimAll(db, turn);
    const one = (id: number) => claimed.find((url) => url.id === id)!;
    await settleUrls(db, [success(one(ids[0]!))]);
    await releaseUrls(db, turn.token, [ids[1]!]);
    const moves = before.map((row) => ({
      before: row,
      state: row.state,
      columns: { priority: 255 },
    }));
    // Settled: visited once more. Claimed: under a lease. Released: as it was, so it may.
    expect(await applyUrls(db, moves)).toEqual(new Set([ids[1]!]));
    expect((await rowOf(ids[0]!)).priority).toBe(100);
  });

  test("may raise what is being visited, under the same lease", async () => {
    const [id] = await admitPaths(db, "raise.test", ["/"]);
    const turn = await turnAt(db, "raise.test");
    const [before] = await claimAll(db, turn);
    const move = { before: before!, state: "in_progress", columns: { priority: 200 } } as const;
    expect(await applyUrls(db, [move])).toEqual(new Set([id!]));
    expect(await rowOf(id!)).toMatchObject({ priority: 200, leaseToken: turn.token });
    expect(await applyUrls(db, [])).toEqual(new Set());
  });
});

describe("a removal", () => {
  test("takes all but what is being visited, with document, content and count", async () => {
    const ids = await admitPaths(db, "remove.test", ["/1", "/2", "/3"]);
    const sorted = [...ids].sort((a, b) => a - b);
    const turn = await turnAt(db, "remove.test");
    const [held] = await claimAll(db, turn, 1);
    const others = sorted.filter((id) => id !== held!.id);
    await indexed(db, [others[0]!]);
    await claimContent(db, [{ hash: keyOf("x"), urlId: others[0]! }]);
    const removed = await deleteUrls(db, [...ids, 999_999]);
    expect(removed.ids.sort((a, b) => a - b)).toEqual(others);
    expect(removed.documents).toEqual([others[0]!]);
    expect(await readDocument(db, others[0]!)).toBeNull();
    expect((await claimContent(db, [{ hash: keyOf("x"), urlId: held!.id }])).get(keyOf("x"))).toBe(
      held!.id,
    );
    expect((await readHost(db, turn.host.id))!.urlCount).toBe(1);
    const law = await conservation(db);
    expect(law.removed).toBe(2);
    expect(law.accepted).toBe(law.present + 2);
    expect(await deleteUrls(db, others)).toEqual({ ids: [], documents: [] });
    expect(await deleteUrls(db, [])).toEqual({ ids: [], documents: [] });
  });

  test("makes duplicates of what it takes due", async () => {
    const [page, copy] = await admitPaths(db, "copies.test", ["/page", "/copy"]);
    const turn = await turnAt(db, "copies.test");
    const urls = await claimAll(db, turn);
    await releaseUrls(db, turn.token, [page!]);
    const duplicate = { state: "done", reason: "duplicate", targetId: page! } as const;
    await settleUrls(db, [success(urls.find((url) => url.id === copy!)!, duplicate)]);
    await deleteUrls(db, [page!]);
    expect(await rowOf(copy!)).toMatchObject({ state: "pending", targetId: null });
  });

  test("may be admitted anew, as another row", async () => {
    const [id] = await admitPaths(db, "anew.test", ["/"]);
    await deleteUrls(db, [id!]);
    const [again] = await admitPaths(db, "anew.test", ["/"]);
    expect(again).not.toBe(id!);
  });
});
