import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { changeHosts, wakeHosts } from "../../src/db/change-hosts.ts";
import { comeDue, releaseStale, wakeOverlooked } from "../../src/db/due.ts";
import { soonestDue } from "../../src/db/due-levels.ts";
import {
  dueHosts,
  nextTurnDue,
  readHost,
  setHostSettings,
  setHostState,
} from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { run } from "../../src/db/statement.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, claimAll, DAY_MS, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 6 });
const { db } = database;
afterAll(() => database.close());

/** Parks the host with all its URLs in a state, their next look `agoMs` ago. */
async function over(name: string, state: "done" | "failed", agoMs: number): Promise<number> {
  const { id } = await hostNamed(db, name);
  await db.execute(
    sql`update urls set state = ${state}, reason = 'noindex', attempts = 3, crashes = 1,
      target_id = 1, next_crawl_at = clock_timestamp() - ${agoMs}::float8 * interval '1 ms'
      where host_id = ${id}`,
  );
  await setHostState(db, { id, state: "parked", reason: null, nextTurnAt: null });
  return id;
}

describe("come due", () => {
  test("done and failed URLs whose time has come, all their tries, and their hosts", async () => {
    const done = await admitPaths(db, "done.test", ["/1", "/2"]);
    const failed = await admitPaths(db, "failed.test", ["/"]);
    const later = await admitPaths(db, "later.test", ["/"]);
    const hosts = [await over("done.test", "done", 1_000), await over("failed.test", "failed", 1)];
    await over("later.test", "done", -60_000);
    expect((await comeDue(db, 100)).sort()).toEqual(hosts.sort());
    for (const row of await readUrls(db, [...done, ...failed])) {
      const fresh = { state: "pending", attempts: 0, crashes: 0, reason: null, targetId: null };
      expect(row).toMatchObject(fresh);
    }
    expect((await readUrls(db, later))[0]!.state).toBe("done");
    for (const id of hosts) {
      const host = (await readHost(db, id))!;
      expect(host.state).toBe("active");
      expect(host.nextTurnAt!.getTime()).toBeLessThanOrEqual(Date.now());
    }
    expect(await comeDue(db, 100)).toEqual([]);
  });

  test("at most so many at once, the longest due first", async () => {
    const ids = await admitPaths(db, "bounded.test", ["/1", "/2", "/3"]);
    const hostId = await over("bounded.test", "failed", 1_000);
    await db.execute(sql`update urls set next_crawl_at = next_crawl_at - interval '1 hour'
      where id = ${ids[2]!}`);
    expect(await comeDue(db, 1)).toEqual([hostId]);
    expect((await readUrls(db, [ids[2]!]))[0]!.state).toBe("pending");
    await comeDue(db, 1);
    await comeDue(db, 1);
    expect(await comeDue(db, 1)).toEqual([]);
  });

  test("a blocked host is not woken, and does not stand in the way of the others", async () => {
    const blocked = await admitPaths(db, "blocked.test", ["/1", "/2", "/3"]);
    const free = await admitPaths(db, "free.test", ["/"]);
    const id = await over("blocked.test", "done", DAY_MS);
    await over("free.test", "done", 1_000);
    await setHostState(db, { id, state: "blocked", reason: null, nextTurnAt: null });
    expect(await comeDue(db, 3)).toEqual([]);
    expect(await comeDue(db, 3)).toEqual([(await hostNamed(db, "free.test")).id]);
    expect((await readUrls(db, free))[0]!.state).toBe("pending");
    for (const row of await readUrls(db, blocked)) {
      expect(row).toMatchObject({ state: "done", reason: "noindex", attempts: 3, targetId: 1 });
    }
    expect((await readHost(db, id))!.nextTurnAt).toBeNull();
  });
});

test("stale claims go back when their turn is over, and not before", async () => {
  const ids = await admitPaths(db, "stale.test", ["/1", "/2"]);
  const turn = await turnAt(db, "stale.test");
  await claimAll(db, turn);
  const age = () =>
    db.execute(sql`update urls set claimed_at = claimed_at - interval '1 hour'
      where host_id = ${turn.host.id}`);
  await age();
  expect(await releaseStale(db, 1_800_000)).toEqual([]);
  // An end of the turn that missed them.
  await db.execute(sql`update hosts set turn_token = null, next_turn_at = null
    where id = ${turn.host.id}`);
  expect(await releaseStale(db, 7_200_000)).toEqual([]);
  expect(await releaseStale(db, 1_800_000)).toEqual([turn.host.id]);
  for (const row of await readUrls(db, ids)) {
    expect(row).toMatchObject({ state: "pending", leaseToken: null, attempts: 0 });
  }
  expect((await readHost(db, turn.host.id))!.nextTurnAt).toBeInstanceOf(Date);
});

test("the soonest due of a host, over all priorities", async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const soonest = at(5);
  await admitPaths(db, "soonest.test", [
    { priority: 200, nextCrawlAt: at(50) },
    { priority: 7, nextCrawlAt: soonest },
    { priority: 100, nextCrawlAt: at(10) },
  ]);
  const { id } = await hostNamed(db, "soonest.test");
  const soonestOf = (host: number) =>
    run<{ at: string | null }>(db, sql`select ${soonestDue(sql`${host}`)} as at`);
  expect(new Date((await soonestOf(id))[0]!.at!)).toEqual(soonest);
  expect(await soonestOf(999_999)).toEqual([{ at: null }]);
});

describe("hosts that are due", () => {
  test("are those without a turn, first lane first, longest due first", async () => {
    const names = ["d1.due.test", "d2.due.test", "d3.due.test", "d4.due.test", "d5.due.test"];
    const ids: number[] = [];
    for (const name of names) {
      await admitPaths(db, name, ["/"]);
      ids.push((await hostNamed(db, name)).id);
    }
    const at = (id: number, seconds: number, lane: 0 | 1 = 1) =>
      setHostState(db, {
        id,
        state: "active",
        reason: null,
        nextTurnAt: new Date(Date.now() - seconds * 1_000),
        lane,
      });
    await at(ids[0]!, 10);
    await at(ids[1]!, 500);
    await at(ids[2]!, 5, 0);
    await at(ids[3]!, -60);
    await at(ids[4]!, 1_000);
    const running = await turnAt(db, names[4]!);
    await wakeHosts(db, [running.host.id]);
    const ours = async (limit: number) =>
      (await dueHosts(db, limit)).map(({ id }) => id).filter((id) => ids.includes(id));
    expect(await ours(1_000)).toEqual([ids[2]!, ids[1]!, ids[0]!]);
    expect((await dueHosts(db, 1)).map(({ id }) => id)).toEqual([ids[2]!]);
    expect((await nextTurnDue(db))!.getTime()).toBeLessThan(Date.now());
  });

  test("a wake brings a turn forward, never back, and wakes the parked", async () => {
    await admitPaths(db, "wake.test", ["/"]);
    const { id } = await hostNamed(db, "wake.test");
    const soon = new Date(Date.now() + 60_000);
    const later = new Date(Date.now() + 120_000);
    await setHostState(db, { id, state: "parked", reason: null, nextTurnAt: soon });
    await changeHosts(db, [{ hostId: id, due: later }]);
    expect(await readHost(db, id)).toMatchObject({ nextTurnAt: soon, state: "parked", lane: 1 });
    await changeHosts(db, [{ hostId: id, due: "now", lane: 0 }]);
    const host = (await readHost(db, id))!;
    expect(host).toMatchObject({ state: "active", lane: 0 });
    expect(host.nextTurnAt!.getTime()).toBeLessThanOrEqual(Date.now());
    await setHostState(db, { id, state: "dead", reason: null, nextTurnAt: later });
    await wakeHosts(db, [id]);
    expect(await readHost(db, id)).toMatchObject({ state: "dead", nextTurnAt: later });
  });

  test("a host that nothing would bring back is found", async () => {
    await admitPaths(db, "overlooked.test", ["/"]);
    const { id } = await hostNamed(db, "overlooked.test");
    await setHostState(db, { id, state: "parked", reason: null, nextTurnAt: null });
    expect(await wakeOverlooked(db)).toBeGreaterThanOrEqual(1);
    expect((await readHost(db, id))!.nextTurnAt!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await wakeOverlooked(db)).toBe(0);
  });
});

describe("moves of a host", () => {
  test("only from the states that are named", async () => {
    await admitPaths(db, "move.test", ["/"]);
    const { id } = await hostNamed(db, "move.test");
    const pause = { id, from: ["active", "parked"], state: "paused", reason: "hand" } as const;
    expect(await setHostState(db, { ...pause, nextTurnAt: null })).toMatchObject({
      state: "paused",
      nextTurnAt: null,
      reason: "hand",
    });
    expect(await setHostState(db, { ...pause, nextTurnAt: null })).toBeNull();
  });

  test("a turn when one of its URLs is due, not before its next request may go", async () => {
    const nextCrawlAt = new Date(Date.now() + 60_000);
    await admitPaths(db, "resume.test", [{ nextCrawlAt }]);
    const { id } = await hostNamed(db, "resume.test");
    const resume = { id, state: "active", reason: null, nextTurnAt: "when due" } as const;
    expect((await setHostState(db, resume))!.nextTurnAt).toEqual(nextCrawlAt);
    const fetchAt = new Date(Date.now() + 90_000);
    await db.execute(sql`update hosts set next_fetch_at = ${fetchAt.toISOString()}, failures = 4
      where id = ${id}`);
    const forgiven = await setHostState(db, { ...resume, forgive: true });
    expect(forgiven).toMatchObject({ nextTurnAt: fetchAt, failures: 0 });
    await db.execute(sql`delete from urls where host_id = ${id}`);
    expect((await setHostState(db, resume))!.nextTurnAt).toBeNull();
  });

  test("settings of the operator", async () => {
    await admitPaths(db, "settings.test", ["/"]);
    const { id } = await hostNamed(db, "settings.test");
    const settings = { delayMs: 5_000, includePatterns: ["/a*", 'q"uote'], bytesMax: 6e9 };
    expect(await setHostSettings(db, id, settings)).toBe(true);
    expect(await readHost(db, id)).toMatchObject(settings);
    for (const change of [{ delayMs: null }, {}]) {
      expect(await setHostSettings(db, id, change)).toBe(true);
      expect(await readHost(db, id)).toMatchObject({ ...settings, delayMs: null });
    }
    expect(await setHostSettings(db, 999_999, { delayMs: 1 })).toBe(false);
  });
});
