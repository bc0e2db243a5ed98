import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { readCounters } from "../../src/db/counters.ts";
import { dueHosts, readHost, setHostState } from "../../src/db/hosts.ts";
import { readUrlByKey, readUrls } from "../../src/db/operate-urls.ts";
import { settleUrls } from "../../src/db/settle-urls.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, candidate, claimAll, DAY_MS, keyOf, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 10 });
const { db } = database;
afterAll(() => database.close());

const accepted = async () => (await readCounters(db)).get("accepted") ?? 0;

test("a batch: known ones keep their rows, the host is entered, woken and counted", async () => {
  const before = await accepted();
  const url = "http://batch.test/a";
  const rows = [candidate(url, { via: "seed", depth: 3 }), candidate("http://batch.test/b")];
  const first = await admitUrls(db, rows);
  expect(first.map((result) => result.kind)).toEqual(["admitted", "admitted"]);
  const again = await admitUrls(db, [
    candidate(url, { priority: 255, via: "link" }),
    candidate("http://batch.test/c"),
  ]);
  expect(again[0]).toEqual({ key: keyOf(url), kind: "known", id: null, state: null });
  expect(again[1]!.kind).toBe("admitted");

  const row = (await readUrlByKey(db, keyOf(url)))!;
  expect(row).toMatchObject({ url, state: "pending", priority: 100, via: "seed", depth: 3 });
  expect(row.nextCrawlAt!.getTime()).toBeLessThanOrEqual(Date.now() + 50);
  const host = await hostNamed(db, "batch.test");
  expect(host).toMatchObject({ urlCount: 3, domain: "batch.test", state: "active", lane: 1 });
  expect((await dueHosts(db, 1_000)).map(({ id }) => id)).toContain(host.id);
  expect((await accepted()) - before).toBe(3);
});

test("one key twice in a batch is one row, and two results", async () => {
  const url = "http://twice.test/";
  const results = await admitUrls(db, [
    candidate(url, { priority: 10, depth: 5 }),
    candidate("http://twice.test/other"),
    candidate(url, { priority: 90, depth: 2 }),
  ]);
  expect(results[0]).toEqual(results[2]!);
  expect(await readUrlByKey(db, keyOf(url))).toMatchObject({ priority: 90, depth: 2 });
  expect((await hostNamed(db, "twice.test")).urlCount).toBe(2);
});

test("rows of one batch are due in its order", async () => {
  const paths = ["/z", "/a", "/m", "/b", "/y"];
  const ids = await admitPaths(db, "inorder.test", paths);
  const claimed = await claimAll(db, await turnAt(db, "inorder.test"));
  expect(claimed.map((url) => url.id)).toEqual(ids);
});

test("nothing at all is no statement", async () => {
  expect(await admitUrls(db, [])).toEqual([]);
});

test("batches at once, the same URLs in other orders: each URL once, no deadlock", async () => {
  const before = await accepted();
  const urls = Array.from({ length: 60 }, (_, at) => `http://${at % 6}.race.test/${at}`);
  const batches = await Promise.all(
    Array.from({ length: 12 }, (_, at) => {
      const turned = [...urls.slice(at * 5), ...urls.slice(0, at * 5)];
      return admitUrls(
        db,
        (at % 2 ? turned : turned.reverse()).map((url) => candidate(url)),
      );
    }),
  );
  const admitted = batches.flat().filter((result) => result.kind === "admitted");
  expect(admitted).toHaveLength(60);
  expect((await accepted()) - before).toBe(60);
  const [sum] = await db.execute<{ n: number }>(
    sql`select sum(url_count)::int as n from hosts where name like '%.race.test'`,
  );
  expect(sum!.n).toBe(60);
});

describe("raise", () => {
  const named = (url: string, priority: number, more = {}) =>
    candidate(url, { priority, raise: true, ...more });

  test("lifts the priority of a known URL, never lowers it, and tells id and state", async () => {
    const url = "http://raise.test/";
    const [id] = await admitPaths(db, "raise.test", ["/"]);
    const [up] = await admitUrls(db, [named(url, 200)]);
    expect(up).toMatchObject({ kind: "known", id: id!, state: "pending" });
    await admitUrls(db, [named(url, 50)]);
    expect((await readUrls(db, [id!]))[0]!.priority).toBe(200);
  });

  test("does not make a waiting URL due, nor touch one that is being visited", async () => {
    const nextCrawlAt = new Date(Date.now() + DAY_MS);
    const [id] = await admitPaths(db, "patient.test", [{ nextCrawlAt }]);
    await admitUrls(db, [named("http://patient.test/0", 220, { lane: 0 })]);
    expect((await readUrls(db, [id!]))[0]).toMatchObject({ priority: 220, nextCrawlAt });
    await admitPaths(db, "visited.test", ["/"]);
    await claimAll(db, await turnAt(db, "visited.test"));
    const [known] = await admitUrls(db, [named("http://visited.test/", 230)]);
    expect(known).toMatchObject({ kind: "known", state: "in_progress" });
  });

  test("lane 0 puts the host in front, for new and for known URLs", async () => {
    await admitPaths(db, "back.test", ["/"]);
    await admitUrls(db, [named("http://front.test/", 220, { lane: 0 })]);
    const front = await hostNamed(db, "front.test");
    const lanes = () => dueHosts(db, 1_000);
    expect((await lanes()).filter(({ lane }) => lane === 0).map(({ id }) => id)).toEqual([
      front.id,
    ]);
    const [first] = await lanes();
    expect(first!.id).toBe(front.id);
    await admitUrls(db, [named("http://back.test/", 220, { lane: 0 })]);
    expect((await hostNamed(db, "back.test")).lane).toBe(0);
  });

  test("a person's URL seeds its host, new or known, once", async () => {
    await admitPaths(db, "seeded.test", ["/"]);
    expect((await hostNamed(db, "seeded.test")).seededAt).toBeNull();
    await admitUrls(db, [named("http://seeded.test/", 200, { seeds: true })]);
    const { seededAt } = await hostNamed(db, "seeded.test");
    expect(seededAt).toBeInstanceOf(Date);
    await admitUrls(db, [named("http://seeded.test/2", 200, { seeds: true })]);
    expect((await hostNamed(db, "seeded.test")).seededAt).toEqual(seededAt);
  });
});

describe("what an admission does to its host", () => {
  const table = [
    ["parked", "active", "woken"],
    ["active", "active", "woken"],
    ["paused", "paused", "left"],
    ["dead", "dead", "left"],
    ["backing_off", "backing_off", "left"],
    ["waiting_robots", "waiting_robots", "woken"],
    ["blocked", "blocked", "left"],
  ] as const;

  test.each(table)("%s becomes %s and is %s", async (before, after, turn) => {
    const name = `${before.replace("_", "-")}.host.test`;
    await admitPaths(db, name, ["/"]);
    const { id } = await hostNamed(db, name);
    await db.execute(sql`update urls set next_crawl_at = now() + interval '9 days'
      where host_id = ${id}`);
    const later = new Date(Date.now() + 3_600_000);
    await setHostState(db, { id, state: before, reason: null, nextTurnAt: later });
    const [result] = await admitUrls(db, [candidate(`http://${name}/new`)]);
    const host = (await readHost(db, id))!;
    expect(host.state).toBe(after);
    if (turn === "left") expect(host.nextTurnAt).toEqual(later);
    else expect(host.nextTurnAt!.getTime()).toBeLessThan(Date.now() + 2_000);
    const state = before === "blocked" ? "blocked" : "pending";
    expect(result).toMatchObject({ kind: "admitted", state });
  });

  test("its turn is not before its next request may go, nor its URL is due", async () => {
    await admitPaths(db, "gap.test", ["/"]);
    const { id } = await hostNamed(db, "gap.test");
    const nextFetchAt = new Date(Date.now() + 90_000);
    await db.execute(sql`update hosts set state = 'parked', next_turn_at = null,
      next_fetch_at = ${nextFetchAt.toISOString()} where id = ${id}`);
    await admitUrls(db, [candidate("http://gap.test/2")]);
    expect((await readHost(db, id))!.nextTurnAt).toEqual(nextFetchAt);
    const nextCrawlAt = new Date(Date.now() + DAY_MS);
    await admitUrls(db, [candidate("http://future.test/", { nextCrawlAt })]);
    const host = await hostNamed(db, "future.test");
    expect(host.nextTurnAt).toEqual(nextCrawlAt);
  });

  test("counts of a turn are fenced by its token; its gap never shrinks", async () => {
    await admitPaths(db, "counts.test", ["/"]);
    const { host, token } = await turnAt(db, "counts.test");
    const nextFetchAt = new Date(Date.now() + 5_000);
    const change = { hostId: host.id, pages: 2, bytes: 5_000_000_000, nextFetchAt };
    await admitUrls(
      db,
      [],
      [
        { ...change, token },
        { ...change, token },
      ],
    );
    await admitUrls(db, [], [{ ...change, token: crypto.randomUUID() }]);
    const sooner = new Date(nextFetchAt.getTime() - 4_000);
    await admitUrls(db, [], [{ hostId: host.id, token, nextFetchAt: sooner }]);
    expect(await readHost(db, host.id)).toMatchObject({
      pageCount: 4,
      byteCount: 10_000_000_000,
      nextFetchAt,
    });
  });
});

test("a transaction that fails leaves nothing of an admission", async () => {
  const before = await accepted();
  const failing = db.transaction(async (tx) => {
    await admitUrls(tx, [candidate("http://undone.test/")]);
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  expect(await accepted()).toBe(before);
  expect(await readUrlByKey(db, keyOf("http://undone.test/"))).toBeNull();
});

test("a URL that was over when named again is told with its state", async () => {
  await admitPaths(db, "over.test", ["/"]);
  const [url] = await claimAll(db, await turnAt(db, "over.test"));
  await settleUrls(db, [{ ...url!, state: "done", reason: "robots" }]);
  const [known] = await admitUrls(db, [candidate("http://over.test/", { raise: true })]);
  expect(known).toMatchObject({ kind: "known", id: url!.id, state: "done" });
});
