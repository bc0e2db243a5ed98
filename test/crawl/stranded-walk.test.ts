import { afterAll, expect, test } from "bun:test";
import { StrandedWalk } from "../../src/crawl/stranded-walk.ts";
import { pointing } from "../db/pointing.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
const { isOver, paths, pointsAt, statesOf } = pointing(db);

test("a walk that is over begins anew after a rest", async () => {
  let now = 0;
  const clock = { now: () => now, sleep: async () => {} };
  const walk = new StrandedWalk(db, clock);
  expect(await walk.step()).toEqual([]);
  const [page, copy] = await paths("stranded.test", 2);
  await isOver(page!);
  await pointsAt(copy!, page!, "duplicate");
  now += 60_000;
  expect(await walk.step()).toEqual([]);
  now += 300_000;
  expect(await walk.step()).toEqual([(await hostNamed(db, "stranded.test")).id]);
  expect(await statesOf([copy!])).toEqual(["pending"]);
});
