import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { markFetching } from "../../src/db/claim-urls.ts";
import { readHost } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { rescueTurns } from "../../src/db/rescue-turns.ts";
import { type SettleRow, settleUrls } from "../../src/db/settle-urls.ts";
import { judgeSuspects, type Verdict } from "../../src/db/suspects.ts";
import { beat, buryWorkers, forgetWorker, livingWorkers } from "../../src/db/workers.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { until } from "../support/until.ts";
import {
  admitPaths,
  ageWorker,
  claimAll,
  DAY_MS,
  ending,
  endTurn,
  expectAfter,
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

const OPTIONS = { ttlMs: TTL_MS, crawlDelayMs: DELAY_MS, turnMaxMs: DAY_MS };
const rescue = (): Promise<number[]> => rescueTurns(db, OPTIONS);
const judge = (verdict: Verdict) => judgeSuspects(db, () => verdict, crash);

describe("rescue", () => {
  test("only the URL being fetched counts a crash, the host waits a full delay", async () => {
    const ids = await admitPaths(db, "dead.test", ["/1", "/2", "/3"]);
    const turn = await turnAt(db, "dead.test");
    const claimed = await claimAll(db, turn);
    await markFetching(db, [{ id: ids[1]!, token: turn.token }]);
    expect(await rescue()).not.toContain(turn.host.id);

    await ageWorker(db, turn.workerId, TTL_MS + 100);
    const began = Date.now();
    expect(await rescue()).toContain(turn.host.id);
    expect((await judge("died")).crashed.map((row) => row.id)).toEqual([ids[1]!]);

    const host = (await readHost(db, turn.host.id))!;
    expect(host.turnToken).toBeNull();
    expectAfter(host.nextFetchAt, began, DELAY_MS);
    expect(host.nextTurnAt).toEqual(host.nextFetchAt);
    for (const row of await readUrls(db, ids)) {
      const was = claimed.find((url) => url.id === row.id)!;
      expect([row.state, row.leaseToken, row.fetchingAt]).toEqual(["pending", null, null]);
      expect(row.crashes).toBe(row.id === ids[1] ? 1 : 0);
      if (row.id === ids[1]) expectAfter(row.nextCrawlAt, began, 5_000);
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
    expect(await rescue()).not.toContain(turn.host.id);
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
      await judge("died");
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
    const began = Date.now();
    expect(await rescue()).toContain(turn.host.id);
    const host = (await readHost(db, turn.host.id))!;
    expect(host.state).toBe("backing_off");
    expectAfter(host.nextFetchAt, began, 120_000);
  });

  test("a turn that its living worker has forgotten", async () => {
    await admitPaths(db, "forgotten.test", ["/1"]);
    const turn = await turnAt(db, "forgotten.test");
    const options = { ...OPTIONS, crawlDelayMs: 1, turnMaxMs: 60_000 };
    const [url] = await claimAll(db, turn);
    await markFetching(db, [{ id: url!.id, token: turn.token }]);
    expect(await rescueTurns(db, options)).not.toContain(turn.host.id);
    await db.execute(
      sql`update hosts set turn_started_at = now() - interval '2 minutes'
        where id = ${turn.host.id}`,
    );
    const began = Date.now();
    expect(await rescueTurns(db, options)).toContain(turn.host.id);
    // No less than a heartbeat, however short the delay.
    expectAfter((await readHost(db, turn.host.id))!.nextTurnAt, began, 1_000);
    // Its worker lives: it has not died on what it was fetching.
    expect(await judge("died")).toEqual({ crashed: [], released: [] });
    expect((await readUrls(db, [url!.id]))[0]).toMatchObject({ state: "pending", crashes: 0 });
  });

  test("several rescuers at once free each turn once", async () => {
    const turns: TestTurn[] = [];
    for (let at = 0; at < 20; at++) {
      await admitPaths(db, `many-${at}.test`, ["/1"]);
      turns.push(await turnAt(db, `many-${at}.test`));
    }
    for (const turn of turns) await ageWorker(db, turn.workerId, TTL_MS + 1);
    const rescues = await Promise.all(Array.from({ length: 6 }, rescue));
    const freed = rescues.flat().sort((a, b) => a - b);
    expect(freed).toEqual(turns.map((turn) => turn.host.id).sort((a, b) => a - b));
  });
});

describe("a worker", () => {
  test("lives by its beat; once too late it is lost, and never lives again", async () => {
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
