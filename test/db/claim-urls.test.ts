import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { type ClaimRequest, claimUrls, markFetching } from "../../src/db/claim-urls.ts";
import { setHostState } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { releaseTurns, releaseUrls, settleUrls } from "../../src/db/settle-urls.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, claimAll, DAY_MS, success, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 10 });
const { db } = database;
afterAll(() => database.close());

test("a claim goes by priority, then due time, then id, and takes what is due alone", async () => {
  const past = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const same = past(5);
  const ids = await admitPaths(db, "order.test", [
    { priority: 100, nextCrawlAt: past(1) },
    { priority: 100, nextCrawlAt: past(9) },
    { priority: 255, nextCrawlAt: past(2) },
    { priority: 255, nextCrawlAt: new Date(Date.now() + DAY_MS) },
    { priority: 0, nextCrawlAt: past(60) },
    { priority: 100, nextCrawlAt: same },
    { priority: 100, nextCrawlAt: same },
    { priority: 101, nextCrawlAt: new Date(Date.now() + 60_000) },
  ]);
  const turn = await turnAt(db, "order.test");
  const tied = [ids[5]!, ids[6]!].sort((a, b) => a - b);
  const claimed = await claimAll(db, turn);
  expect(claimed.map((url) => url.id)).toEqual([ids[2]!, ids[1]!, ...tied, ids[0]!, ids[4]!]);
  for (const url of claimed) {
    expect(url.state).toBe("in_progress");
    expect(url.leaseToken).toBe(turn.token);
    expect(url.claimedAt).toBeInstanceOf(Date);
    expect(url.fetchingAt).toBeNull();
  }
});

test("a limit takes the first of that order, over several priorities", async () => {
  const ids = await admitPaths(db, "limit.test", [
    { priority: 10 },
    { priority: 30 },
    { priority: 20 },
    { priority: 30 },
    { priority: 10 },
  ]);
  const turn = await turnAt(db, "limit.test");
  const take = async (limit: number) => (await claimAll(db, turn, limit)).map((url) => url.id);
  expect(await take(3)).toEqual([ids[1]!, ids[3]!, ids[2]!]);
  expect(await take(0)).toEqual([]);
  expect(await take(9)).toEqual([ids[0]!, ids[4]!]);
  expect(await take(9)).toEqual([]);
});

test("one statement claims for many hosts, in order of the requests", async () => {
  const requests: ClaimRequest[] = [];
  for (const name of ["many-b.test", "many-a.test", "many-c.test"]) {
    await admitPaths(db, name, ["/1", "/2", "/3"]);
    const { host, token } = await turnAt(db, name);
    requests.push({ hostId: host.id, token, limit: 2 });
  }
  const claimed = await claimUrls(db, requests);
  expect(claimed.map((url) => url.hostId)).toEqual(
    requests.flatMap(({ hostId }) => [hostId, hostId]),
  );
  expect(claimed.every((url) => requests.some(({ token }) => token === url.leaseToken))).toBe(true);
});

test("concurrent claims of one host are disjoint and lose nothing", async () => {
  const ids = await admitPaths(
    db,
    "crowd.test",
    Array.from({ length: 400 }, (_, at) => ({ priority: at % 7 })),
  );
  const turn = await turnAt(db, "crowd.test");
  const claims = await Promise.all(Array.from({ length: 20 }, () => claimAll(db, turn, 20)));
  const rest = await claimAll(db, turn);
  const claimed = [...claims.flat(), ...rest].map((url) => url.id).sort((a, b) => a - b);
  expect(claimed).toEqual(ids.sort((a, b) => a - b));
});

test("without the host's turn, or while it is paused or blocked, nothing is claimed", async () => {
  await admitPaths(db, "fence.test", ["/1", "/2"]);
  const turn = await turnAt(db, "fence.test");
  const stranger = { ...turn, token: crypto.randomUUID() };
  expect(await claimAll(db, stranger)).toEqual([]);
  for (const state of ["paused", "blocked"] as const) {
    await setHostState(db, { id: turn.host.id, state, reason: null, nextTurnAt: null });
    expect(await claimAll(db, turn)).toEqual([]);
  }
  const back = { state: "active", reason: null, nextTurnAt: null } as const;
  await setHostState(db, { id: turn.host.id, ...back });
  expect(await claimAll(db, turn)).toHaveLength(2);
});

test("a release gives back as it was; a late one comes after its siblings", async () => {
  const ids = await admitPaths(db, "release.test", ["/1", "/2", "/3"]);
  const turn = await turnAt(db, "release.test");
  const before = await claimAll(db, turn);
  await markFetching(db, [{ id: ids[0]!, token: turn.token }]);
  const [marked] = await readUrls(db, [ids[0]!]);
  expect(marked!.fetchingAt).toBeInstanceOf(Date);
  const later = new Date(Date.now() + 5_000);
  expect(await releaseUrls(db, turn.token, [ids[0]!], later)).toBe(1);
  expect(await releaseTurns(db, [turn.token])).toBe(2);
  expect(await releaseTurns(db, [turn.token])).toBe(0);
  for (const row of await readUrls(db, ids)) {
    const was = before.find((url) => url.id === row.id)!;
    const nextCrawlAt = row.id === ids[0] ? later : was.nextCrawlAt;
    const free = { leaseToken: null, claimedAt: null, fetchingAt: null };
    expect(row).toEqual({ ...was, state: "pending", ...free, nextCrawlAt });
  }
});

test("a mark needs the lease", async () => {
  const [id] = await admitPaths(db, "mark.test", ["/1"]);
  const turn = await turnAt(db, "mark.test");
  await claimAll(db, turn);
  await markFetching(db, [{ id: id!, token: crypto.randomUUID() }]);
  expect((await readUrls(db, [id!]))[0]!.fetchingAt).toBeNull();
});

test("a stale token settles nothing, a good one every column", async () => {
  const ids = await admitPaths(db, "settle.test", ["/1", "/2"]);
  const turn = await turnAt(db, "settle.test");
  const claimed = await claimAll(db, turn);
  const stale = claimed.map((url) => success(url, { leaseToken: crypto.randomUUID() }));
  expect((await settleUrls(db, stale)).size).toBe(0);
  const full = success(claimed[0]!, {
    attempts: 2,
    crashes: 1,
    misses: 1,
    changes: 3,
    reason: 'quo"te, back\\slash, {brace}, NULL and é😀',
    etag: 'W/"x,y"',
    lastModified: "Wed, 21 Oct 2015 07:28:00 GMT",
    contentHash: crypto.randomUUID(),
    targetId: ids[1]!,
    intervalS: -604_800,
  });
  expect(await settleUrls(db, [full, ...stale.slice(1)])).toEqual(new Set([ids[0]!]));
  const [row] = await readUrls(db, [ids[0]!]);
  const free = { leaseToken: null, claimedAt: null, fetchingAt: null };
  expect(row).toEqual({ ...full, ...free } as never);
  expect((await settleUrls(db, [full])).size).toBe(0);
  const [other] = await readUrls(db, [ids[1]!]);
  expect(other!.state).toBe("in_progress");
});

test("the store refuses a pending URL that is never due, and a claim without lease", async () => {
  const [id] = await admitPaths(db, "check.test", ["/1"]);
  const turn = await turnAt(db, "check.test");
  const [url] = await claimAll(db, turn);
  await expect(settleUrls(db, [success(url!, { nextCrawlAt: null })])).rejects.toThrow();
  await expect(
    db.execute(sql`update urls set lease_token = null where id = ${id!}`).then(() => {}),
  ).rejects.toThrow();
  expect((await hostNamed(db, "check.test")).urlCount).toBe(1);
});
