import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { increment, readCounters } from "../../src/db/counters.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { settleUrls } from "../../src/db/settle-urls.ts";
import {
  isConflict,
  isDataError,
  retrying,
  sqlState,
  writeInHalves,
} from "../../src/db/store-errors.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { until } from "../support/until.ts";
import { admitPaths, candidate, claimAll, success, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 6 });
const { db } = database;
afterAll(() => database.close());

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test.each([
  ["a NUL", { etag: "a\0b" }, "22021"],
  ["a status that is none", { status: 99_999 }, "22003"],
  ["a hash that is none", { contentHash: "no-hash" }, "22P02"],
  ["pending for ever", { nextCrawlAt: null }, "23514"],
])(
  "one row with %s is refused alone, and the rest of its group is settled",
  async (what, bad, code) => {
    const host = `h${code.toLowerCase()}.test`;
    const ids = await admitPaths(
      db,
      host,
      Array.from({ length: 11 }, (_, at) => `/${at}`),
    );
    const claimed = await claimAll(db, await turnAt(db, host));
    const rows = claimed.map((url, at) => success(url, at === 6 ? bad : {}));
    const settled = new Set<number>();
    const refused = await writeInHalves(rows, async (some) => {
      const back = await db.transaction((tx) => settleUrls(tx, some));
      for (const id of back) settled.add(id);
    });
    expect(refused.map(({ row }) => row.id)).toEqual([rows[6]!.id]);
    expect([what, sqlState(refused[0]!.error), isDataError(refused[0]!.error)]).toEqual([
      what,
      code,
      true,
    ]);
    expect(settled.size).toBe(10);
    const left = (await readUrls(db, ids)).filter((row) => row.state === "in_progress");
    expect(left.map(({ id }) => id)).toEqual([rows[6]!.id]);
  },
);

test("an error of another kind is not the data's, and is thrown", async () => {
  const error = await failure(db.execute(sql`select from nowhere`).then(() => {}));
  expect([sqlState(error), isDataError(error), isConflict(error)]).toEqual(["42P01", false, false]);
  let calls = 0;
  const broken = writeInHalves([1, 2, 3], () => {
    calls++;
    throw new Error("away");
  });
  expect(await failure(broken)).toEqual(new Error("away"));
  expect(calls).toBe(1);
  expect(sqlState("text")).toBeNull();
});

test("two transactions that lock in a circle both end well", async () => {
  await increment(db, { left: 1, right: 1 });
  let inside = 0;
  const both = Promise.withResolvers<void>();
  const cross = (first: string, second: string) =>
    retrying(db, async (tx) => {
      const add = (name: string) =>
        tx.execute(sql`update counters set value = value + 1 where name = ${name}`);
      await add(first);
      if (++inside === 2) both.resolve();
      await both.promise;
      await add(second);
    });
  await Promise.all([cross("left", "right"), cross("right", "left")]);
  const counters = await readCounters(db);
  expect([counters.get("left"), counters.get("right")]).toEqual([3, 3]);
  // The loser comes again, and may be early enough to lose once more.
  expect(inside).toBeGreaterThan(2);
});

test("a conflict that does not end is thrown in the end", async () => {
  let tries = 0;
  const error = await failure(
    retrying(db, async (tx) => {
      tries++;
      await tx.execute(sql`do $$ begin raise serialization_failure; end $$`);
    }),
  );
  expect([tries, isConflict(error)]).toEqual([3, true]);
});

test("counters add up over connections and calls", async () => {
  await Promise.all(
    Array.from({ length: 30 }, () => increment(db, { b: 2, "refused.trap": 1, nothing: 0 })),
  );
  const counters = await readCounters(db);
  expect([counters.get("b"), counters.get("refused.trap")]).toEqual([60, 30]);
  expect(counters.has("nothing")).toBe(false);
  await increment(db, {});
  await increment(db, { b: -60 });
  expect((await readCounters(db)).get("b")).toBe(0);
});

test("a host that is forgotten under an admission makes it try again", async () => {
  await admitPaths(db, "vanishing.test", ["/"]);
  let tries = 0;
  const admission = Promise.withResolvers<Promise<unknown>>();
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from hosts where name = 'vanishing.test'`);
    // Still sees the host, and waits for our lock when it comes to change it.
    const admitting = retrying(db, (own) => {
      tries++;
      return admitUrls(own, [candidate("http://vanishing.test/new")]);
    });
    await until(() => standsInLine(), { what: "the admission to wait" });
    admission.resolve(admitting);
  });
  expect(await admission.promise).toMatchObject([{ kind: "admitted" }]);
  expect(tries).toBe(2);
  expect((await hostNamed(db, "vanishing.test")).urlCount).toBe(1);
});

async function standsInLine(): Promise<boolean> {
  const rows = await db.execute(
    sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows.length > 0;
}
