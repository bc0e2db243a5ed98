import { afterAll, beforeEach, expect, test } from "bun:test";
import { alignRanks, RanksWalk } from "../../src/crawl/host-ranks.ts";
import { reconcile } from "../../src/crawl/reconcile.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";

const database = await testDatabase();
const { db, sql } = database;
const index = new MemoryIndex();
const deps = { db, index };
afterAll(() => database.close());

beforeEach(async () => {
  await sql`truncate hosts restart identity`;
  index.told.clear();
  index.isDown = false;
});

/** Hosts h1 to hN, of which every third has pages that were scored, and every fifth authority. */
const hosts = (count: number) => sql`
  insert into hosts (name, domain, authority, region_sum, region_count)
  select 'h' || n, 'h' || n, case when n % 5 = 0 then 0.5 else 0 end,
    case when n % 3 = 0 then 4500 else 0 end, case when n % 3 = 0 then 5 else 0 end
  from generate_series(1, ${count}::int) n`;

test("an index that knows nothing is told of every host that has a rank, in pages", async () => {
  await hosts(2_500);
  const asked: number[] = [];
  const ranks = index.ranks.bind(index);
  index.ranks = (names) => {
    asked.push(names.length);
    return ranks(names);
  };
  // Multiples of 3, and those of 5 that are none of 3.
  expect(await alignRanks(deps)).toBe(833 + 500 - 166);
  expect(asked).toEqual([1_000, 1_000, 500]);
  // The mean of five pages at 0.9, shrunk by five at a half.
  expect(index.told.get("h3")).toEqual({ host: "h3", authority: 0, region: 0.7 });
  expect(index.told.get("h15")).toEqual({ host: "h15", authority: 0.5, region: 0.7 });
  expect(index.told.get("h10")).toEqual({ host: "h10", authority: 0.5, region: null });
  expect(index.told.has("h1")).toBe(false);
  expect(await alignRanks(deps)).toBe(0);
  index.ranks = ranks;
});

test("what settles move is told; what moves no result is not; what is gone is taken back", async () => {
  await hosts(15);
  await alignRanks(deps);
  await sql`update hosts set region_sum = 4520 where name = 'h3'`;
  expect(await alignRanks(deps)).toBe(0);
  await sql`update hosts set region_sum = 5000 where name = 'h3'`;
  await sql`update hosts set region_sum = 0, region_count = 0 where name = 'h6'`;
  await sql`update hosts set authority = 0 where name = 'h10'`;
  expect(await alignRanks(deps)).toBe(3);
  expect(index.told.get("h3")!.region).toBe(0.75);
  expect(["h6", "h10"].map((host) => index.told.has(host))).toEqual([false, false]);
});

test("the walk takes a page a step, begins anew, and waits where the index is away", async () => {
  await hosts(1_500);
  const walk = new RanksWalk(deps);
  const steps = [await walk.step(), await walk.step(), await walk.step()];
  expect(steps.map((step) => step.kind === "aligned" && step.next)).toEqual([1_000, null, 1_000]);
  expect(steps[2]).toMatchObject({ told: 0 });
  index.told.clear();
  index.isDown = true;
  expect(await walk.step()).toMatchObject({ kind: "unavailable" });
  index.isDown = false;
  expect(await walk.step()).toMatchObject({ kind: "aligned", next: null });
  expect(index.told.has("h1500")).toBe(true);
  expect(
    alignRanks({ db, index: Object.assign(new MemoryIndex(), { isDown: true }) }),
  ).rejects.toThrow("not to be had");
});

test("reconcile mends ranks when it repairs, and counts no document for them", async () => {
  await hosts(30);
  const clean = { missing: 0, orphan: 0, stale: 0 };
  expect(await reconcile(deps)).toEqual(clean);
  expect(index.told.size).toBe(0);
  expect(await reconcile(deps, { repair: true })).toEqual(clean);
  expect(index.told.get("h15")).toEqual({ host: "h15", authority: 0.5, region: 0.7 });
});
