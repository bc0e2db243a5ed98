import { afterAll, beforeEach, expect, test } from "bun:test";
import { mendDue, mendNow } from "../../src/crawl/mend-index.ts";
import { block, dropUrl } from "../../src/crawl/operate.ts";
import { reconcile } from "../../src/crawl/reconcile.ts";
import { reindex } from "../../src/crawl/reindex.ts";
import { saveDocuments } from "../../src/db/documents.ts";
import { wantRepairs } from "../../src/db/index-repairs.ts";
import { releaseUrls } from "../../src/db/settle-urls.ts";
import { admitPaths, claimAll, documentOf, indexed, turnAt } from "../db/frontier.ts";
import { documentOf as pageOf } from "../search/documents.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";
import { operateDeps } from "../support/operate.ts";

const database = await testDatabase({ max: 6 });
const { db, sql } = database;
const index = new MemoryIndex();
afterAll(() => database.close());

const deps = operateDeps({ db, index });

beforeEach(async () => {
  await sql`truncate index_repairs, documents`;
  index.documents.clear();
  index.isDown = false;
});

const NOW = new Date("2026-01-02T03:04:05.678Z");
const EARLIER = new Date(NOW.getTime() - 60_000);
const LATER = new Date(NOW.getTime() + 60_000);

let hosts = 0;

async function admitted(count: number): Promise<number[]> {
  const paths = Array.from({ length: count }, (_, n) => `/${n}`);
  return (await admitPaths(db, `mend-${++hosts}.test`, paths)).sort((a, b) => a - b);
}

const put = (id: number, crawledAt: Date, title = "put") =>
  index.put(pageOf({ id, crawledAt, title, contentHash: null }));

const store = (id: number, crawledAt: Date, title = "stored") =>
  saveDocuments(db, [documentOf(id, { crawledAt, title, contentHash: null })]);

const inIndex = (): unknown[] =>
  [...index.documents.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, title, crawledAt }) => [id, title, crawledAt]);

const waiting = async () => (await sql`select 1 from index_repairs`).length;

test("the index is made to say what the store says, whatever it held", async () => {
  const [same, missing, old, ahead, orphan, gone] = (await admitted(6)) as number[];
  for (const id of [same, missing, old, ahead]) await store(id!, NOW);
  await put(same!, NOW, "the same version is not put again");
  await put(old!, EARLIER);
  await put(ahead!, LATER);
  await put(orphan!, NOW);
  await wantRepairs(db, [same!, missing!, old!, ahead!, orphan!, gone!, 999_999]);
  expect(await mendDue(deps)).toEqual({ kind: "mended" });
  expect(inIndex()).toEqual([
    [same, "the same version is not put again", NOW],
    [missing, "stored", NOW],
    [old, "stored", NOW],
    [ahead, "stored", NOW],
  ]);
  expect(await waiting()).toBe(0);
});

test("what is being visited is left to its settle, and looked at after it", async () => {
  const [id] = await admitted(1);
  const turn = await turnAt(db, `mend-${hosts}.test`);
  await claimAll(db, turn);
  await put(id!, NOW);
  await wantRepairs(db, [id!]);
  await mendDue(deps);
  expect([index.documents.size, await waiting()]).toEqual([1, 1]);
  await releaseUrls(db, turn.token, [id!]);
  await sql`update index_repairs set wanted_at = now()`;
  await mendDue(deps);
  expect([index.documents.size, await waiting()]).toEqual([0, 0]);
});

test("an index that is away keeps nothing from being promised, and is mended when it is back", async () => {
  const [orphan, missing] = await admitted(2);
  await put(orphan!, NOW);
  await store(missing!, NOW);
  await wantRepairs(db, [orphan!, missing!]);
  index.isDown = true;
  expect((await mendDue(deps)).kind).toBe("unavailable");
  expect((await mendNow(deps, [missing!])).kind).toBe("unavailable");
  expect([index.documents.has(orphan!), await waiting()]).toEqual([true, 2]);
  index.isDown = false;
  expect((await mendDue(deps)).kind).toBe("mended");
  expect([inIndex(), await waiting()]).toEqual([[[missing, "stored", NOW]], 0]);
});

test("what an operator takes away while the index is locked leaves it afterwards", async () => {
  const ids = await admitted(3);
  await indexed(db, ids);
  for (const id of ids) await put(id, NOW);
  index.isDown = true;
  expect((await dropUrl(deps, ids[0]!, "test")).kind).toBe("done");
  expect((await block(deps, `mend-${hosts}.test`, "test")).kind).toBe("done");
  expect(index.documents.size).toBe(3);
  index.isDown = false;
  await mendDue(deps);
  expect(index.documents.size).toBe(0);
});

test("at once, when nothing is in the way", async () => {
  const ids = await admitted(3);
  await indexed(db, ids);
  for (const id of ids) await put(id, NOW);
  await dropUrl(deps, ids[0]!, "test");
  expect([...index.documents.keys()]).toEqual(ids.slice(1));
  await block(deps, `mend-${hosts}.test`, "test");
  expect([index.documents.size, await waiting()]).toEqual([0, 0]);
});

test("reconcile tells versions of texts too short for a hash, and mends", async () => {
  const [same, old, dated, missing, orphan] = (await admitted(5)) as number[];
  await store(same!, NOW);
  await store(old!, NOW);
  await store(missing!, NOW);
  await saveDocuments(db, [documentOf(dated!, { crawledAt: NOW, publishedAt: EARLIER })]);
  await put(same!, NOW);
  await put(old!, EARLIER);
  await index.put(
    pageOf({ id: dated!, crawledAt: EARLIER, publishedAt: EARLIER, contentHash: null }),
  );
  await put(orphan!, NOW);
  const found = { missing: 1, orphan: 1, stale: 2 };
  expect(await reconcile(deps)).toEqual(found);
  expect(await reconcile(deps, { repair: true })).toEqual(found);
  expect(await reconcile(deps)).toEqual({ missing: 0, orphan: 0, stale: 0 });
  expect([...index.documents.keys()].sort()).toEqual([same!, old!, dated!, missing!].sort());
  index.isDown = true;
  await store(orphan!, NOW);
  await expect(reconcile(deps, { repair: true })).rejects.toThrow("not to be had");
});

test("reindex leaves no version ahead of the store's, and no orphan", async () => {
  const [ahead, orphan] = await admitted(2);
  await store(ahead!, NOW);
  await put(ahead!, LATER);
  await put(orphan!, NOW);
  expect(await reindex(deps)).toEqual({ documents: 1, removed: 1, refused: 0 });
  expect(inIndex()).toEqual([[ahead, "stored", NOW]]);
});
