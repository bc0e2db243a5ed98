import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { markFetching } from "../../src/db/claim-urls.ts";
import { readHost } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { rescueTurns } from "../../src/db/rescue-turns.ts";
import { type SettleRow, settleUrls } from "../../src/db/settle-urls.ts";
import { judgeSuspects, type LostWorker, type Verdict } from "../../src/db/suspects.ts";
import { buryWorkers } from "../../src/db/workers.ts";
import { testDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";
import {
  admitPaths,
  ageWorker,
  claimAll,
  DAY_MS,
  ending,
  endTurn,
  living,
  makeDue,
  success,
  TTL_MS,
  turnAt,
} from "./frontier.ts";
import { pointing } from "./pointing.ts";

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

const crash = (url: SettleRow): SettleRow => ({
  ...url,
  crashes: url.crashes + 1,
  state: "pending",
});

const rescue = () => rescueTurns(db, { ttlMs: TTL_MS, crawlDelayMs: 1_000, turnMaxMs: DAY_MS });

describe("what a lost worker was fetching", () => {
  /** A host with one URL being fetched and one that waits behind it, its worker given up. */
  const lose = async (name: string, life?: string) => {
    const ids = await admitPaths(db, name, ["/fetched", "/behind"]);
    const workerId = await living(db, life);
    const turn = await turnAt(db, name, workerId);
    await claimAll(db, turn);
    await markFetching(db, [{ id: ids[0]!, token: turn.token }]);
    await ageWorker(db, workerId, TTL_MS + 100);
    expect(await rescue()).toContain(turn.host.id);
    return { ids, turn };
  };
  const judging = async (workerId: string, verdict: Verdict) => {
    const seen: LostWorker[] = [];
    const judged = await judgeSuspects(
      db,
      (worker) => {
        if (worker.id !== workerId) return "unsure";
        seen.push(worker);
        return verdict;
      },
      crash,
    );
    return { seen, judged };
  };
  const stateOf = async (id: number) => (await readUrls(db, [id]))[0]!;

  test("waits for a verdict, its host and its siblings do not", async () => {
    const { ids, turn } = await lose("unsure.test");
    expect(await stateOf(ids[0]!)).toMatchObject({ state: "in_progress", crashes: 0 });
    expect(await stateOf(ids[1]!)).toMatchObject({ state: "pending" });
    const { seen } = await judging(turn.workerId, "unsure");
    expect(seen).toMatchObject([{ isBack: false, suspects: [turn.token] }]);
    expect(await stateOf(ids[0]!)).toMatchObject({ state: "in_progress" });

    await makeDue(db, turn.hostId);
    const next = await turnAt(db, "unsure.test");
    expect((await claimAll(db, next)).map(({ id }) => id)).toEqual([ids[1]!]);
    await endTurn(db, ending(next, { state: "active" }));
    await judging(turn.workerId, "lives");
  });

  test("goes back unchanged when it lives, and brings its host a turn", async () => {
    const { ids, turn } = await lose("lives.test");
    await db.execute(sql`update hosts set next_turn_at = null where id = ${turn.hostId}`);
    const { judged } = await judging(turn.workerId, "lives");
    expect(judged).toMatchObject({ crashed: [], released: [{ id: ids[0]! }] });
    const row = { state: "pending", crashes: 0, attempts: 0, leaseToken: null, fetchingAt: null };
    expect(await stateOf(ids[0]!)).toMatchObject(row);
    expect((await readHost(db, turn.hostId))!.nextTurnAt).not.toBeNull();
    // Said once: nothing is left to judge.
    expect((await judging(turn.workerId, "died")).seen).toEqual([]);
  });

  test("is back when the same process gives a life sign under a new id, dead again or not", async () => {
    const life = crypto.randomUUID();
    const { turn } = await lose("back.test", life);
    expect((await judging(turn.workerId, "unsure")).seen).toMatchObject([{ isBack: false }]);
    await living(db, crypto.randomUUID());
    expect((await judging(turn.workerId, "unsure")).seen).toMatchObject([{ isBack: false }]);
    const again = await living(db, life);
    expect((await judging(turn.workerId, "unsure")).seen).toMatchObject([{ isBack: true }]);
    await ageWorker(db, again, TTL_MS + 100);
    await buryWorkers(db, TTL_MS);
    const { seen } = await judging(turn.workerId, "lives");
    expect(seen).toMatchObject([{ isBack: true }]);
    expect(seen[0]!.lostMs).toBeGreaterThan(0);
  });

  test("a mark on its way when the turn is taken away makes a suspect, and no row that is lost", async () => {
    const [id] = await admitPaths(db, "mark.test", ["/"]);
    const turn = await turnAt(db, "mark.test");
    await claimAll(db, turn);
    await ageWorker(db, turn.workerId, TTL_MS + 100);
    let rescued: Promise<number[]> | undefined;
    await db.transaction(async (tx) => {
      await markFetching(tx, [{ id: id!, token: turn.token }]);
      rescued = rescue();
      await until(waitsForUrls, { what: "the rescue to wait for the mark" });
    });
    expect(await rescued!).toContain(turn.host.id);
    const { seen } = await judging(turn.workerId, "lives");
    expect(seen).toMatchObject([{ suspects: [turn.token] }]);
    expect(await stateOf(id!)).toMatchObject({ state: "pending", leaseToken: null });
  });

  test("a settle that comes late, while nobody has judged, counts", async () => {
    const { ids, turn } = await lose("late.test");
    const row = await stateOf(ids[0]!);
    expect((await settleUrls(db, [success({ ...row, leaseToken: turn.token })])).size).toBe(1);
    expect((await judging(turn.workerId, "died")).judged.crashed).toEqual([]);
  });
});

test("a page whose third crash is its end leaves nobody who counts on it", async () => {
  const [fetched, variant] = await admitPaths(db, "crashes.test", ["/fetched", "/variant"]);
  const workerId = await living(db);
  const turn = await turnAt(db, "crashes.test", workerId);
  await claimAll(db, turn);
  await markFetching(db, [{ id: fetched!, token: turn.token }]);
  await ageWorker(db, workerId, TTL_MS + 100);
  await rescue();
  await pointing(db).pointsAt(variant!, fetched!);
  await judgeSuspects(
    db,
    () => "died",
    (url) => ({ ...url, state: "failed", reason: "crashes", nextCrawlAt: null }),
  );
  expect(await pointing(db).statesOf([fetched!, variant!])).toEqual(["failed", "pending"]);
});

/** Does a statement on that table stand in line for a lock? */
async function waitsForUrls(): Promise<boolean> {
  const rows = await db.execute(
    sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like '%from urls%'`,
  );
  return rows.length > 0;
}
