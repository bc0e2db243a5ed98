import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { claimContent } from "../../src/db/content.ts";
import { conservation } from "../../src/db/counts.ts";
import { readDocument } from "../../src/db/documents.ts";
import {
  type Batch,
  blockHostUrls,
  forgetHost,
  forgetHostUrls,
  unblockHostUrls,
} from "../../src/db/host-urls.ts";
import { readHost, setHostState } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { readRobots, saveRobots } from "../../src/db/robots.ts";
import { releaseTurns, releaseUrls, settleUrls } from "../../src/db/settle-urls.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, claimAll, indexed, robotsRow, success, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());

async function all(step: () => Promise<Batch>): Promise<Batch> {
  const documents: number[] = [];
  for (let moved = 0; ; ) {
    const batch = await step();
    documents.push(...batch.documents);
    moved += batch.moved;
    if (batch.moved === 0) return { moved, documents };
  }
}

test("a block takes pending and claimed URLs, and documents; unblocked they are due", async () => {
  const ids = await admitPaths(db, "block.test", ["/p", "/c", "/d", "/f", "/g"]);
  const [pending, claimed, done, failed, gone] = ids as [number, number, number, number, number];
  const turn = await turnAt(db, "block.test");
  const urls = await claimAll(db, turn);
  await releaseUrls(db, turn.token, [pending]);
  const at = new Date(Date.now() + 3_600_000);
  const url = (id: number) => urls.find((row) => row.id === id)!;
  await settleUrls(db, [
    success(url(done), { state: "done", reason: "robots", nextCrawlAt: at, intervalS: null }),
    success(url(failed), { state: "failed", reason: "tls", nextCrawlAt: at, etag: '"e"' }),
    success(url(gone), { state: "failed", reason: "gone", nextCrawlAt: null, intervalS: null }),
  ]);
  await indexed(db, [failed, pending]);
  const { id } = turn.host;
  await setHostState(db, { id, state: "blocked", reason: "by hand", nextTurnAt: null });
  const block = await all(() => blockHostUrls(db, id, 2));
  expect(block.moved).toBe(3);
  expect(block.documents.sort((a, b) => a - b)).toEqual([pending, failed].sort((a, b) => a - b));
  const states = async () =>
    Object.fromEntries((await readUrls(db, ids)).map((row) => [row.id, row.state]));
  expect(await states()).toEqual({
    [pending]: "blocked",
    [claimed]: "blocked",
    [done]: "done",
    [failed]: "failed",
    [gone]: "failed",
  });
  expect(await readDocument(db, failed)).toBeNull();
  expect((await settleUrls(db, [success(url(claimed))])).size).toBe(0);

  const open = { id, from: ["blocked"], state: "active", reason: null } as const;
  await setHostState(db, { ...open, nextTurnAt: "when due" });
  expect((await all(() => unblockHostUrls(db, id, 1))).moved).toBe(2);
  expect(await states()).toMatchObject({ [pending]: "pending", [claimed]: "pending" });
  for (const row of await readUrls(db, [pending, claimed, done])) {
    expect(row.nextCrawlAt!.getTime()).toBeLessThanOrEqual(Date.now());
  }
  expect((await readHost(db, id))!.nextTurnAt).toBeInstanceOf(Date);
});

test("duplicates elsewhere are due when the host of their page is blocked", async () => {
  const [original] = await admitPaths(db, "original.test", ["/"]);
  const [copy] = await admitPaths(db, "copy.test", ["/"]);
  const [url] = await claimAll(db, await turnAt(db, "copy.test"));
  await settleUrls(db, [
    { ...url!, state: "done", reason: "duplicate", targetId: original!, nextCrawlAt: null },
  ]);
  await db.execute(sql`update hosts set turn_token = null, next_turn_at = null, state = 'parked'
    where name = 'copy.test'`);
  await indexed(db, [original!]);
  const { id } = await hostNamed(db, "original.test");
  await blockHostUrls(db, id, 10);
  expect((await readUrls(db, [copy!]))[0]).toMatchObject({ state: "pending", targetId: null });
  expect(await hostNamed(db, "copy.test")).toMatchObject({ state: "active" });
});

test("a host is forgotten in batches, with what hangs on it; the law holds", async () => {
  const ids = await admitPaths(
    db,
    "forget.test",
    Array.from({ length: 7 }, (_, at) => `/${at}`),
  );
  const turn = await turnAt(db, "forget.test");
  const urls = await claimAll(db, turn, 3);
  await settleUrls(
    db,
    urls.slice(0, 2).map((url) => success(url)),
  );
  await indexed(db, ids.slice(0, 2));
  await claimContent(db, [{ hash: crypto.randomUUID(), urlId: ids[0]! }]);
  const saved = {
    ...robotsRow("http://forget.test:80", turn.host.id),
    body: 'Disallow: "\\{é}',
  };
  await saveRobots(db, [{ ...saved, status: null, body: null, fetchedAt: null, failures: 2 }]);
  await saveRobots(db, [saved]);
  expect(await readRobots(db, [saved.authority, "http://unknown.test:80"])).toEqual([saved]);
  const forgotten = await all(() => forgetHostUrls(db, turn.host.id, 3));
  expect(forgotten.moved).toBe(6);
  expect(forgotten.documents.sort((a, b) => a - b)).toEqual(ids.slice(0, 2).sort((a, b) => a - b));
  expect(await forgetHost(db, turn.host.id)).toBe(false);
  const law = await conservation(db);
  expect(law.accepted).toBe(law.present + law.removed);

  await releaseTurns(db, [turn.token]);
  expect((await all(() => forgetHostUrls(db, turn.host.id, 3))).moved).toBe(1);
  expect(await forgetHost(db, turn.host.id)).toBe(false);
  await db.execute(sql`update hosts set turn_token = null where id = ${turn.host.id}`);
  expect(await forgetHost(db, turn.host.id)).toBe(true);
  expect(await readHost(db, turn.host.id)).toBeNull();
  const left = await db.execute(sql`select from robots where host_id = ${turn.host.id}
    union all select from content_owners where url_id = any(${`{${ids.join(",")}}`}::bigint[])`);
  expect(left.length).toBe(0);
  await admitPaths(db, "forget.test", ["/0"]);
});
