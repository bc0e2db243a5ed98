import { afterAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import type { ActionResult, OperateDeps } from "../../src/crawl/move-url.ts";
import { block, pauseHost, resumeHost, unblock, unblockHost } from "../../src/crawl/operate.ts";
import { crawlHostNow, finishForgotten, forgetHostAll } from "../../src/crawl/whole-host.ts";
import { type HostState, readHost, setHostState } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { releaseTurns } from "../../src/db/settle-urls.ts";
import { admitPaths, claimAll, DAY_MS, turnAt } from "../db/frontier.ts";
import { testConfig } from "../support/crawl.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";
import { hostNamed } from "../support/rows.ts";

const database = await testDatabase({ max: 4 });
const { db, sql } = database;
afterAll(() => database.close());

const deps: OperateDeps = {
  db,
  index: new MemoryIndex(),
  config: testConfig(),
  clock: systemClock,
  random: Math.random,
  wake: () => {},
};
const BY = "tester";

async function hostAt(name: string, state: HostState): Promise<number> {
  await admitPaths(db, name, ["/"]);
  const { id } = await hostNamed(db, name);
  await setHostState(db, { id, state, reason: null, nextTurnAt: null });
  return id;
}

const reasonOf = (result: ActionResult) =>
  result.kind === "refused" ? result.reason : result.kind;

describe("what cannot be done is said in words", () => {
  const ROWS: [typeof pauseHost, HostState, RegExp][] = [
    [pauseHost, "paused", /^the host is paused already$/],
    [pauseHost, "blocked", /^the host is blocked: .*unblocked$/],
    [pauseHost, "out_of_region", /^the host is out of the region: /],
    [resumeHost, "active", /^the host is not paused: /],
    [resumeHost, "parked", /^the host is not paused: /],
    [resumeHost, "blocked", /^the host is blocked: /],
    [crawlHostNow, "paused", /resume it first$/],
    [crawlHostNow, "blocked", /unblock it first$/],
  ];
  test.each(ROWS)("%p of a host that is %s", async (action, state, words) => {
    const id = await hostAt(`${action.name.toLowerCase()}-${state.replace("_", "-")}.test`, state);
    expect(reasonOf(await action(deps, id, BY))).toMatch(words);
    expect((await readHost(db, id))!.state).toBe(state);
  });
});

describe("block and unblock", () => {
  const states = async (ids: readonly number[]) =>
    (await readUrls(db, ids)).map((row) => row.state);

  test("URLs follow the blocks that are left", async () => {
    const ids = await admitPaths(db, "a.overlap.org", ["/1", "/2"]);
    await sql`update hosts set domain = 'overlap.org' where name = 'a.overlap.org'`;
    await block(deps, "a.overlap.org", BY);
    await block(deps, "overlap.org", BY);
    expect(await unblock(deps, "a.overlap.org", BY)).toEqual({
      kind: "done",
      note: "its domain is blocked as a whole: trawl unblock overlap.org",
    });
    expect(await states(ids)).toEqual(["blocked", "blocked"]);
    const { id } = await hostNamed(db, "a.overlap.org");
    expect(reasonOf(await unblockHost(deps, id, BY))).toContain("trawl unblock overlap.org");
    expect(await unblock(deps, "overlap.org", BY)).toEqual({ kind: "done" });
    expect(await states(ids)).toEqual(["pending", "pending"]);
    expect(reasonOf(await unblock(deps, "overlap.org", BY))).toBe("overlap.org is not blocked");
  });

  test("a block and an unblock at once end in what the blocks say, URLs and all", async () => {
    const ids = await admitPaths(db, "tug.test", ["/1", "/2", "/3"]);
    for (let round = 0; round < 5; round++) {
      await block(deps, "tug.test", BY);
      await Promise.all([unblock(deps, "tug.test", BY), block(deps, "tug.test", BY)]);
      const isBlocked = (await hostNamed(db, "tug.test")).state === "blocked";
      expect(new Set(await states(ids))).toEqual(new Set([isBlocked ? "blocked" : "pending"]));
    }
  });

  test.each(["com", "co.uk", "github.io"])("%s is refused: it is nobody's site", async (name) => {
    expect(reasonOf(await block(deps, name, BY))).toContain("one by one");
    expect(reasonOf(await unblock(deps, name, BY))).toBe(`${name} is not blocked`);
  });

  test.each(["localhost", "intranet", "127.0.6.9"])("%s can be blocked", async (name) => {
    expect(await block(deps, name, BY)).toEqual({ kind: "done" });
  });
});

describe("crawl now", () => {
  test("all that waits or is over is due, in the first lane, after the gap", async () => {
    const ids = await admitPaths(db, "now.test", ["/p", "/d", "/f", "/b"]);
    const [pending, done, failed, blocked] = ids as [number, number, number, number];
    await sql`update urls set next_crawl_at = now() + interval '9 days', reason = 'timeout',
      attempts = 2 where id = ${pending}`;
    await sql`update urls set state = 'done', reason = 'robots', next_crawl_at = null
      where id = ${done}`;
    await sql`update urls set state = 'failed', reason = 'gone', next_crawl_at = null
      where id = ${failed}`;
    await sql`update urls set state = 'blocked', next_crawl_at = null where id = ${blocked}`;
    const { id } = await hostNamed(db, "now.test");
    const nextFetchAt = new Date(Date.now() + DAY_MS);
    const at = nextFetchAt.toISOString();
    await sql`update hosts set state = 'parked', next_fetch_at = ${at} where id = ${id}`;
    expect(await crawlHostNow(deps, id, BY)).toEqual({ kind: "done" });
    const rows = new Map((await readUrls(db, ids)).map((row) => [row.id, row]));
    for (const each of [pending, done, failed]) {
      expect(rows.get(each)).toMatchObject({ state: "pending", attempts: 0, reason: null });
      expect(rows.get(each)!.nextCrawlAt!.getTime()).toBeLessThanOrEqual(Date.now());
    }
    expect(rows.get(blocked)!.state).toBe("blocked");
    const host = (await readHost(db, id))!;
    expect(host).toMatchObject({ state: "active", lane: 0, nextTurnAt: nextFetchAt });
  });
});

describe("forget", () => {
  const clock = { ...systemClock, sleep: async () => {} };

  test("what is being visited goes with the chore, when its visit is over", async () => {
    await admitPaths(db, "forget.test", ["/1", "/2"]);
    const turn = await turnAt(db, "forget.test");
    await claimAll(db, turn, 1);
    let now = 0;
    const impatient = { ...deps, clock: { ...clock, now: () => (now += 1_000) } };
    const result = await forgetHostAll(impatient, turn.hostId, BY);
    expect(result).toMatchObject({ kind: "done", note: expect.stringContaining("visited") });
    expect(reasonOf(await pauseHost(deps, turn.hostId, BY))).toBe("the host is being forgotten");
    await finishForgotten(deps);
    expect(await readHost(db, turn.hostId)).not.toBeNull();
    await releaseTurns(db, [turn.token]);
    await sql`update hosts set turn_token = null, turn_worker = null where id = ${turn.hostId}`;
    await finishForgotten(deps);
    expect(await readHost(db, turn.hostId)).toBeNull();
  });

  test("who resumes the host meanwhile keeps what is left of it", async () => {
    await admitPaths(db, "kept.test", ["/1", "/2"]);
    const turn = await turnAt(db, "kept.test");
    await claimAll(db, turn, 1);
    let now = 0;
    await forgetHostAll(
      { ...deps, clock: { ...clock, now: () => (now += 1_000) } },
      turn.hostId,
      BY,
    );
    await resumeHost(deps, turn.hostId, BY);
    await sql`update hosts set turn_token = null, turn_worker = null where id = ${turn.hostId}`;
    await finishForgotten(deps);
    expect((await readHost(db, turn.hostId))!.state).toBe("active");
  });
});
