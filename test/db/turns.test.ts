import { afterAll, describe, expect, test } from "bun:test";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { changeHosts } from "../../src/db/change-hosts.ts";
import { markFetching } from "../../src/db/claim-urls.ts";
import { readHost, setHostState } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { settleUrls } from "../../src/db/settle-urls.ts";
import { endTurns, type TurnEnd, takeTurns } from "../../src/db/turns.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import {
  admitPaths,
  ageWorker,
  candidate,
  claimAll,
  ending,
  endTurn,
  living,
  makeDue,
  success,
  TTL_MS,
  takeTurn,
  turnAt,
} from "./frontier.ts";

const database = await testDatabase({ max: 20 });
const { db } = database;
afterAll(() => database.close());

describe("taking", () => {
  test("50 asked at once: one turn", async () => {
    await admitPaths(db, "fifty.test", ["/"]);
    const { id: hostId } = await hostNamed(db, "fifty.test");
    const workers = await Promise.all([living(db), living(db)]);
    const turns = await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        const token = crypto.randomUUID();
        return takeTurn(db, { hostId, workerId: workers[at % 2]!, token });
      }),
    );
    expect(turns.filter((host) => host !== null)).toHaveLength(1);
  });

  test("many in one statement, in order of the requests: each its own host and token, or none", async () => {
    const names = ["many-b.test", "many-a.test", "many-c.test"];
    for (const name of names) await admitPaths(db, name, ["/"]);
    const hosts = await Promise.all(names.map((name) => hostNamed(db, name)));
    const taker = { workerId: await living(db), ttlMs: TTL_MS };
    const ids = [hosts[0]!.id, 999_999, hosts[1]!.id, hosts[0]!.id, hosts[2]!.id];
    const requests = ids.map((hostId) => ({ hostId, token: crypto.randomUUID() }));
    const turns = await takeTurns(db, taker, requests);
    expect(turns.map((host) => host?.name ?? null).filter((_, at) => at % 3 !== 0)).toEqual([
      null,
      "many-a.test",
      "many-c.test",
    ]);
    // Asked for twice at once: one of them has it.
    const twice = [turns[0], turns[3]].filter((host) => host !== null);
    expect(twice.map((host) => host!.name)).toEqual(["many-b.test"]);
    for (const [at, host] of turns.entries()) {
      if (host) expect(host.turnToken).toBe(requests[at]!.token);
    }
    expect(await takeTurns(db, taker, requests)).toEqual([null, null, null, null, null]);
    expect(await takeTurns(db, taker, [])).toEqual([]);
  });

  test("the reasons why there is none", async () => {
    await admitPaths(db, "reasons.test", ["/"]);
    const { id: hostId } = await hostNamed(db, "reasons.test");
    const workerId = await living(db);
    const take = (more = {}) =>
      takeTurn(db, { hostId, workerId, token: crypto.randomUUID(), ...more });
    expect(await take({ hostId: 999_999 })).toBeNull();
    expect(await take({ workerId: crypto.randomUUID() })).toBeNull();
    const at = new Date(Date.now() + 60_000);
    await setHostState(db, { id: hostId, state: "backing_off", reason: "429", nextTurnAt: at });
    expect(await take()).toBeNull();
    await setHostState(db, { id: hostId, state: "paused", reason: null, nextTurnAt: null });
    expect(await take()).toBeNull();
    const due = { state: "dead", reason: "DNS", nextTurnAt: new Date() } as const;
    await setHostState(db, { id: hostId, ...due });
    const frozen = await living(db);
    await ageWorker(db, frozen, TTL_MS + 100);
    expect(await take({ workerId: frozen })).toBeNull();
    expect(await take()).toMatchObject({ id: hostId, state: "dead" });
    expect(await take()).toBeNull();
  });
});

describe("ending", () => {
  test("with the soonest due URL as the next turn, else parked", async () => {
    await admitPaths(db, "end.test", ["/1", "/2"]);
    const turn = await turnAt(db, "end.test");
    const [first, second] = await claimAll(db, turn);
    const soon = new Date(Date.now() + 3_600_000);
    await settleUrls(db, [success(first!), success(second!, { nextCrawlAt: soon })]);
    const gap = { nextFetchAt: new Date(Date.now() + 1_000) };
    const ended = await endTurn(db, ending(turn, gap));
    expect(ended).toEqual({ kind: "ended", state: "parked", nextTurnAt: soon });
    const host = await readHost(db, turn.host.id);
    expect([host!.turnToken, host!.turnWorker, host!.turnStartedAt]).toEqual([null, null, null]);
    expect(host!.nextFetchAt).toEqual(gap.nextFetchAt);
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

  test("many in one go: each with its own end, a lost one among them", async () => {
    const names = ["go-b.test", "go-a.test", "go-c.test"];
    for (const name of names) await admitPaths(db, name, ["/1"]);
    const turns = [];
    for (const name of names) turns.push(await turnAt(db, name));
    for (const turn of turns) await claimAll(db, turn);
    const nextTurnAt = new Date(Date.now() + 60_000);
    const ends = [
      ending(turns[0]!, { state: "backing_off", reason: 'said "no", \\ {so}', nextTurnAt }),
      ending({ hostId: turns[1]!.hostId, token: crypto.randomUUID() }),
      ending(turns[2]!),
    ];
    const [first, second, third] = await endTurns(db, ends);
    expect(first).toEqual({ kind: "ended", state: "backing_off", nextTurnAt });
    expect(second).toEqual({ kind: "lost" });
    expect(third).toMatchObject({ kind: "ended", state: "active" });
    const hosts = await Promise.all(turns.map(({ hostId }) => readHost(db, hostId)));
    expect(hosts.map((host) => host!.turnToken)).toEqual([null, turns[1]!.token, null]);
    expect(hosts[0]!.reason).toBe('said "no", \\ {so}');
    expect(await claimAll(db, turns[1]!)).toEqual([]);
    expect(await endTurns(db, [])).toEqual([]);
  });

  test("what an operator did meanwhile stays", async () => {
    for (const state of ["paused", "blocked"] as const) {
      await admitPaths(db, `${state}.test`, ["/1"]);
      const turn = await turnAt(db, `${state}.test`);
      const id = turn.host.id;
      await setHostState(db, { id, state, reason: "by hand", nextTurnAt: null });
      expect((await readHost(db, id))!.turnToken).toBe(turn.token);
      expect(await endTurn(db, ending(turn))).toEqual({ kind: "ended", state, nextTurnAt: null });
      expect((await readHost(db, id))!.reason).toBe("by hand");
    }
  });
});

test("a host leaves the first lane with its turn, unless put there again", async () => {
  await admitPaths(db, "lane.test", ["/"]);
  const { id } = await hostNamed(db, "lane.test");
  await changeHosts(db, [{ hostId: id, due: "now", lane: 0 }]);
  const delays = { robotsDelayMs: 2_000, slowDelayMs: 3_000 };
  for (const [asked, put, lane] of [
    [1, false, 1],
    [0, false, 0],
    [1, true, 0],
  ] as const) {
    await makeDue(db, id);
    const turn = await turnAt(db, "lane.test");
    expect((await readHost(db, id))!.lane).toBe(1);
    if (put) await admitUrls(db, [candidate("http://lane.test/new", { lane: 0 })]);
    await endTurn(db, ending(turn, { ...delays, lane: asked }));
    expect(await readHost(db, id)).toMatchObject({ ...delays, lane });
  }
  await makeDue(db, id);
  expect((await turnAt(db, "lane.test")).host.lane).toBe(0);
});
