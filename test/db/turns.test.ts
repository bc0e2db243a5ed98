import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { markFetching } from "../../src/db/claim-urls.ts";
import { readHost, setHostState } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { type Rescue, rescueTurns } from "../../src/db/rescue-turns.ts";
import { type SettleRow, settleUrls } from "../../src/db/settle-urls.ts";
import { endTurn, holdsTurn, type TurnEnd, takeTurn } from "../../src/db/turns.ts";
import { beat, buryWorkers, forgetWorker, livingWorkers } from "../../src/db/workers.ts";
import { testDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";
import {
  admitPaths,
  ageWorker,
  claimAll,
  DAY_MS,
  hostNamed,
  living,
  makeDue,
  success,
  type TestTurn,
  TTL_MS,
  turnAt,
} from "./frontier.ts";

const database = await testDatabase({ max: 20 });
const { db } = database;
afterAll(() => database.close());

const DELAY_MS = 1_500;

/** As the machine of a URL steps a death: its edges are tested in test/actors. */
const crash = (url: SettleRow): SettleRow => ({
  ...url,
  crashes: url.crashes + 1,
  ...(url.crashes + 1 < 3
    ? { state: "pending", nextCrawlAt: new Date(Date.now() + 5_000) }
    : { state: "failed", reason: "crashes", nextCrawlAt: null }),
});

const rescue = (): Promise<Rescue> =>
  rescueTurns(db, { ttlMs: TTL_MS, crawlDelayMs: DELAY_MS }, crash);

function ending(turn: TestTurn, more: Partial<TurnEnd> = {}): TurnEnd {
  return {
    hostId: turn.host.id,
    token: turn.token,
    state: "active",
    reason: null,
    nextTurnAt: new Date(),
    nextFetchAt: new Date(Date.now() + 1_000),
    failures: 0,
    throttles: 0,
    robotsDelayMs: null,
    slowDelayMs: null,
    ...more,
  };
}

const near = (at: Date | null, ms: number) =>
  expect(Math.abs((at?.getTime() ?? 0) - (Date.now() + ms))).toBeLessThan(1_000);

describe("taking", () => {
  test("50 asked at once: one turn", async () => {
    await admitPaths(db, "fifty.test", ["/"]);
    const { id: hostId } = await hostNamed(db, "fifty.test");
    const workers = await Promise.all([living(db), living(db)]);
    const turns = await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        const token = crypto.randomUUID();
        return takeTurn(db, { hostId, workerId: workers[at % 2]!, token, ttlMs: TTL_MS });
      }),
    );
    expect(turns.filter((turn) => turn.kind === "taken")).toHaveLength(1);
    expect(turns.filter((turn) => turn.kind === "held")).toHaveLength(49);
  });

  test("the reasons why there is none", async () => {
    await admitPaths(db, "reasons.test", ["/"]);
    const { id: hostId } = await hostNamed(db, "reasons.test");
    const workerId = await living(db);
    const take = (more = {}) =>
      takeTurn(db, { hostId, workerId, token: crypto.randomUUID(), ttlMs: TTL_MS, ...more });
    expect((await take({ hostId: 999_999 })).kind).toBe("missing");
    expect((await take({ workerId: crypto.randomUUID() })).kind).toBe("lost");
    const at = new Date(Date.now() + 60_000);
    await setHostState(db, { id: hostId, state: "backing_off", reason: "429", nextTurnAt: at });
    expect(await take()).toEqual({ kind: "not due", at });
    await setHostState(db, { id: hostId, state: "paused", reason: null, nextTurnAt: null });
    expect(await take()).toEqual({ kind: "not runnable", state: "paused" });
    const due = { state: "dead", reason: "DNS", nextTurnAt: new Date() } as const;
    await setHostState(db, { id: hostId, ...due });
    expect((await take()).kind).toBe("taken");
    const frozen = await living(db);
    await ageWorker(db, frozen, TTL_MS + 100);
    expect((await take({ workerId: frozen })).kind).toBe("lost");
  });
});

describe("ending", () => {
  test("with the soonest due URL as the next turn, else parked", async () => {
    await admitPaths(db, "end.test", ["/1", "/2"]);
    const turn = await turnAt(db, "end.test");
    const [first, second] = await claimAll(db, turn);
    const soon = new Date(Date.now() + 3_600_000);
    await settleUrls(db, [success(first!), success(second!, { nextCrawlAt: soon })]);
    const ended = await endTurn(db, ending(turn));
    expect(ended).toEqual({ kind: "ended", state: "parked", nextTurnAt: soon });
    const host = await readHost(db, turn.host.id);
    expect([host!.turnToken, host!.turnWorker, host!.turnStartedAt]).toEqual([null, null, null]);
    near(host!.nextFetchAt, 1_000);
    expect(await endTurn(db, ending(turn))).toEqual({ kind: "lost" });
  });

  test("not before the time asked for, and what is still held goes back", async () => {
    const ids = await admitPaths(db, "leftover.test", ["/1", "/2"]);
    const turn = await turnAt(db, "leftover.test");
    await claimAll(db, turn);
    await markFetching(db, [{ id: ids[0]!, token: turn.token }]);
    const nextTurnAt = new Date(Date.now() + 7_000);
    expect(await endTurn(db, ending(turn, { nextTurnAt }))).toEqual({
      kind: "ended",
      state: "active",
      nextTurnAt,
    });
    for (const row of await readUrls(db, ids)) {
      expect([row.state, row.crashes, row.leaseToken]).toEqual(["pending", 0, null]);
    }
  });

  test("without a URL left: parked for good; in back-off: when it says", async () => {
    await admitPaths(db, "gone.test", ["/1"]);
    const turn = await turnAt(db, "gone.test");
    const [url] = await claimAll(db, turn);
    await settleUrls(db, [{ ...url!, state: "failed", reason: "gone", nextCrawlAt: null }]);
    expect(await endTurn(db, ending(turn))).toEqual({
      kind: "ended",
      state: "parked",
      nextTurnAt: null,
    });
    await admitPaths(db, "backing.test", ["/1"]);
    const other = await turnAt(db, "backing.test");
    const nextTurnAt = new Date(Date.now() + 60_000);
    const backing = { state: "backing_off", reason: "429", nextTurnAt, failures: 3, throttles: 1 };
    const ended = await endTurn(db, ending(other, backing as Partial<TurnEnd>));
    expect(ended).toEqual({ kind: "ended", state: "backing_off", nextTurnAt });
    const host = await readHost(db, other.host.id);
    expect([host!.failures, host!.throttles, host!.reason]).toEqual([3, 1, "429"]);
  });

  test("what an operator did meanwhile stays", async () => {
    for (const state of ["paused", "blocked"] as const) {
      await admitPaths(db, `${state}.test`, ["/1"]);
      const turn = await turnAt(db, `${state}.test`);
      const id = turn.host.id;
      await setHostState(db, { id, state, reason: "by hand", nextTurnAt: null });
      expect(await holdsTurn(db, id, turn.token)).toBe(true);
      expect(await endTurn(db, ending(turn))).toEqual({ kind: "ended", state, nextTurnAt: null });
      expect((await readHost(db, id))!.reason).toBe("by hand");
    }
  });
});

describe("rescue", () => {
  test("a dead turn: only the URL being fetched counts a crash, the host waits a full delay", async () => {
    const ids = await admitPaths(db, "dead.test", ["/1", "/2", "/3"]);
    const turn = await turnAt(db, "dead.test");
    const claimed = await claimAll(db, turn);
    await markFetching(db, [{ id: ids[1]!, token: turn.token }]);
    expect((await rescue()).hostIds).not.toContain(turn.host.id);

    await ageWorker(db, turn.workerId, TTL_MS + 100);
    const rescued = await rescue();
    expect(rescued.hostIds).toContain(turn.host.id);
    expect(rescued.crashed.map((row) => [row.id, row.crashes])).toEqual([[ids[1]!, 1]]);

    const host = (await readHost(db, turn.host.id))!;
    expect(host.turnToken).toBeNull();
    near(host.nextFetchAt, DELAY_MS);
    expect(host.nextTurnAt).toEqual(host.nextFetchAt);
    for (const row of await readUrls(db, ids)) {
      const was = claimed.find((url) => url.id === row.id)!;
      expect([row.state, row.leaseToken, row.fetchingAt]).toEqual(["pending", null, null]);
      expect(row.crashes).toBe(row.id === ids[1] ? 1 : 0);
      if (row.id === ids[1]) near(row.nextCrawlAt, 5_000);
      else expect(row.nextCrawlAt).toEqual(was.nextCrawlAt);
    }
    expect(
      (
        await settleUrls(
          db,
          claimed.map((url) => success(url)),
        )
      ).size,
    ).toBe(0);
    expect(await endTurn(db, ending(turn))).toEqual({ kind: "lost" });
    expect((await rescue()).hostIds).toEqual([]);
  });

  test("the third crash in a row: failed", async () => {
    const ids = await admitPaths(db, "killer.test", ["/1", "/2"]);
    const killer = ids[0]!;
    for (let crashes = 1; crashes <= 3; crashes++) {
      await db.execute(sql`update urls set next_crawl_at = now() where id = ${killer}`);
      await makeDue(db, (await hostNamed(db, "killer.test")).id);
      const turn = await turnAt(db, "killer.test");
      expect((await claimAll(db, turn)).map((url) => url.id)).toContain(killer);
      await markFetching(db, [{ id: killer, token: turn.token }]);
      await ageWorker(db, turn.workerId, TTL_MS + 100);
      await rescue();
      expect((await readUrls(db, [killer]))[0]!.crashes).toBe(crashes);
    }
    const rows = await readUrls(db, ids);
    const stateOf = (id: number) => rows.find((row) => row.id === id);
    expect(stateOf(killer)).toMatchObject({ state: "failed", reason: "crashes" });
    expect(stateOf(ids[1]!)).toMatchObject({ state: "pending", crashes: 0 });
  });

  test("the longest of the host's delays is kept, and back-off stays back-off", async () => {
    await admitPaths(db, "slow.test", ["/1"]);
    const turn = await turnAt(db, "slow.test");
    await db.execute(
      sql`update hosts set robots_delay_ms = 120000, state = 'backing_off'
        where id = ${turn.host.id}`,
    );
    await forgetWorker(db, turn.workerId);
    expect((await rescue()).hostIds).toContain(turn.host.id);
    const host = (await readHost(db, turn.host.id))!;
    expect(host.state).toBe("backing_off");
    near(host.nextFetchAt, 120_000);
  });

  test("a turn that its living worker has forgotten", async () => {
    await admitPaths(db, "forgotten.test", ["/1"]);
    const turn = await turnAt(db, "forgotten.test");
    const options = { ttlMs: TTL_MS, crawlDelayMs: 1, turnMaxMs: 60_000 };
    expect((await rescueTurns(db, options, crash)).hostIds).not.toContain(turn.host.id);
    await db.execute(
      sql`update hosts set turn_started_at = now() - interval '2 minutes'
        where id = ${turn.host.id}`,
    );
    expect((await rescueTurns(db, options, crash)).hostIds).toEqual([turn.host.id]);
    // No less than a heartbeat, however short the delay.
    near((await readHost(db, turn.host.id))!.nextTurnAt, 1_000);
  });

  test("several rescuers at once free each turn once", async () => {
    const turns: TestTurn[] = [];
    for (let at = 0; at < 20; at++) {
      await admitPaths(db, `many-${at}.test`, ["/1"]);
      turns.push(await turnAt(db, `many-${at}.test`));
    }
    for (const turn of turns) await ageWorker(db, turn.workerId, TTL_MS + 1);
    const rescues = await Promise.all(Array.from({ length: 6 }, rescue));
    const freed = rescues.flatMap(({ hostIds }) => hostIds).sort((a, b) => a - b);
    expect(freed).toEqual(turns.map((turn) => turn.host.id).sort((a, b) => a - b));
  });
});

describe("a worker", () => {
  test("lives by its beat; late by the time to live it is lost, and never lives again", async () => {
    const worker = { id: crypto.randomUUID(), hostname: "here", pid: 7, roles: ["web", "crawl"] };
    expect(await beat(db, worker, TTL_MS)).toEqual({ lost: false });
    expect(await beat(db, { ...worker, report: { ok: 1 } }, TTL_MS)).toEqual({ lost: false });
    expect(await beat(db, worker, TTL_MS)).toEqual({ lost: false });
    const row = (await livingWorkers(db)).find(({ id }) => id === worker.id);
    expect(row).toMatchObject({ pid: 7, roles: ["web", "crawl"], report: { ok: 1 }, lostAt: null });
    await ageWorker(db, worker.id, TTL_MS + 1);
    expect(await beat(db, worker, TTL_MS)).toEqual({ lost: true });
    expect(await buryWorkers(db, TTL_MS)).toEqual([worker.id]);
    await ageWorker(db, worker.id, -DAY_MS);
    expect(await beat(db, worker, TTL_MS)).toEqual({ lost: true });
    expect((await livingWorkers(db)).some(({ id }) => id === worker.id)).toBe(false);
  });

  test("a beat on its way is waited for before anybody buries its worker", async () => {
    const id = await living(db);
    await ageWorker(db, id, TTL_MS + 1);
    let buried: Promise<string[]> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(sql`update workers set beat_at = clock_timestamp() where id = ${id}::uuid`);
      buried = buryWorkers(db, TTL_MS);
      await until(() => waitsForLock("workers"), { what: "the burial to wait for the beat" });
    });
    expect(await buried!).not.toContain(id);
  });
});

/** Does a statement on that table stand in line for a lock? */
async function waitsForLock(table: string): Promise<boolean> {
  const rows = await db.execute(
    sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like ${`%${table}%`}`,
  );
  return rows.length > 0;
}
