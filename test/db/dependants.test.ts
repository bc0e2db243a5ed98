import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import {
  wakeDependants,
  wakeDuplicates,
  wakeStranded,
  wakeStrandedAfter,
} from "../../src/db/dependants.ts";
import { blockHostUrls, unblockHostUrls } from "../../src/db/host-urls.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { indexed } from "./frontier.ts";
import { byId, pointing } from "./pointing.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());
const { isOver, paths, pointsAt, shut, statesOf } = pointing(db);

describe("a page leaves", () => {
  test("its duplicates and canonicals are due, others are not", async () => {
    const [page] = await paths("page.test", 1);
    const [copy, variant, source, behind] = await paths("dependants.test", 4);
    await pointsAt(copy!, page!, "duplicate");
    await pointsAt(variant!, page!);
    await pointsAt(source!, page!, "redirected");
    await pointsAt(behind!, source!);
    const { id } = await hostNamed(db, "dependants.test");
    expect(await wakeDependants(db, [page!])).toEqual([id]);
    // Also what points at it by a redirect, which itself has nothing to be visited for.
    expect(await statesOf([copy!, variant!, source!, behind!])).toEqual([
      "pending",
      "pending",
      "done",
      "pending",
    ]);
    for (const row of await readUrls(db, [copy!, variant!, behind!])) {
      expect(row).toMatchObject({ reason: null, targetId: null });
      expect(row.nextCrawlAt!.getTime()).toBeLessThanOrEqual(Date.now());
    }
    expect(await wakeDependants(db, [])).toEqual([]);
  });

  test("of one whose text changed, the duplicates alone", async () => {
    const [page, copy, variant] = await paths("text.test", 3);
    await pointsAt(copy!, page!, "duplicate");
    await pointsAt(variant!, page!);
    await wakeDuplicates(db, [page!]);
    expect(await statesOf([copy!, variant!])).toEqual(["pending", "done"]);
  });

  test("of many duplicates some are asked: one that has the old text still is enough", async () => {
    const [page, ...copies] = await paths("many.test", 121);
    for (const copy of copies) await pointsAt(copy, page!, "duplicate");
    await wakeDuplicates(db, [page!]);
    const asked = (await statesOf(copies)).filter((state) => state === "pending");
    expect(asked).toHaveLength(100);
  });

  test("a duplicate at a blocked host is due once the block goes, in whatever order", async () => {
    const [owner] = await paths("mirror-a.test", 1);
    const [copy] = await paths("mirror-b.test", 1);
    await indexed(db, [owner!]);
    await pointsAt(copy!, owner!, "duplicate");
    const copyHost = await shut("mirror-b.test", "blocked");
    await blockHostUrls(db, await shut("mirror-a.test", "blocked"), 10);
    expect(await statesOf([copy!])).toEqual(["done"]);
    await shut("mirror-b.test", "active");
    await unblockHostUrls(db, copyHost, 10);
    const [row] = await readUrls(db, [copy!]);
    expect(row!.nextCrawlAt!.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test("what counts on a page that was blocked before its first visit is due", async () => {
    const [page] = await paths("unvisited.test", 1);
    const [variant] = await paths("hopeful.test", 1);
    await pointsAt(variant!, page!);
    await blockHostUrls(db, await shut("unvisited.test", "blocked"), 10);
    expect(await statesOf([variant!])).toEqual(["pending"]);
  });
});

describe("a page ends without a document", () => {
  test("failed: what counts on it is due, by a redirect too", async () => {
    const [variant, source, page] = await paths("failed.test", 3);
    await pointsAt(variant!, source!);
    await pointsAt(source!, page!, "redirected");
    await isOver(page!);
    await wakeStranded(db, [page!]);
    expect(await statesOf([variant!, source!, page!])).toEqual(["pending", "done", "failed"]);
  });

  test("its own target failed meanwhile: it is due itself", async () => {
    const [variant, page] = await paths("meanwhile.test", 2);
    await isOver(page!);
    await pointsAt(variant!, page!);
    await wakeStranded(db, [variant!]);
    expect(await statesOf([variant!])).toEqual(["pending"]);
  });

  test("it leads to a document: nobody is due", async () => {
    const [variant, source, page] = await paths("leads.test", 3);
    await indexed(db, [page!]);
    await pointsAt(source!, page!, "redirected");
    await pointsAt(variant!, source!);
    expect(await wakeStranded(db, [source!])).toEqual([]);
    expect(await statesOf([variant!])).toEqual(["done"]);
  });
});

test("a walk finds what nobody was told of, slice by slice", async () => {
  const [found] = await db.execute<{ last: string }>(sql`select max(id) as last from urls`);
  const ids = byId(await paths("walk.test", 6));
  const [lost, page, a, b, fine, gone] = ids as [number, number, number, number, number, number];
  await isOver(page);
  await pointsAt(lost, page, "duplicate");
  await pointsAt(a, b);
  await pointsAt(b, a);
  await indexed(db, [gone]);
  await pointsAt(fine, gone);
  let after: number | null = Number(found!.last);
  let slices = 0;
  for (; after !== null; slices++) after = (await wakeStrandedAfter(db, after, 2)).next;
  expect(slices).toBeGreaterThan(1);
  expect(await statesOf([lost, a, b, fine])).toEqual(["pending", "pending", "done", "done"]);
});
