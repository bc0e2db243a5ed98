import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { activitySince, fetchTimes, pagesPerSecond, timeToSearchable } from "../../src/db/stats.ts";
import { dropPartitions, ensurePartitions } from "../../src/db/visit-partitions.ts";
import { appendVisits, type VisitRow, visitsOf, visitsOfHost } from "../../src/db/visits.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, DAY_MS } from "./frontier.ts";

const database = await testDatabase({ max: 6 });
const { db } = database;
afterAll(() => database.close());

function visit(more: Partial<VisitRow> = {}): VisitRow {
  const now = Date.now();
  return {
    urlId: 900_000,
    hostId: 900_000,
    claimedAt: new Date(now - 500),
    fetchStartedAt: new Date(now - 400),
    fetchedAt: new Date(now - 300),
    parsedAt: new Date(now - 200),
    indexedAt: new Date(now - 100),
    settledAt: new Date(now),
    outcome: "fetched",
    state: "pending",
    reason: null,
    status: 200,
    bytes: 1_000,
    address: "192.0.2.1",
    ...more,
  };
}

const placeOf = async (urlId: number) => {
  const rows = await db.execute<{ name: string }>(
    sql`select tableoid::regclass::text as name from visits where url_id = ${urlId}`,
  );
  return rows.map((row) => row.name);
};

const partitions = async () => {
  const rows = await db.execute<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'visits'::regclass order by 1`,
  );
  return rows.map((row) => row.name);
};

describe("partitions", () => {
  test("a visit goes to its day, or to the default one, and moves when its day comes", async () => {
    const day = new Date("2031-05-04T23:59:59.999Z");
    await appendVisits(db, [
      visit({ urlId: 11, settledAt: day }),
      visit({ urlId: 12, settledAt: new Date(day.getTime() + 1) }),
      visit({ urlId: 13, settledAt: new Date(day.getTime() + 30 * DAY_MS) }),
    ]);
    expect(await placeOf(11)).toEqual(["visits_default"]);
    await Promise.all([1, 2, 3].map(() => ensurePartitions(db, day)));
    expect(await placeOf(11)).toEqual(["visits_20310504"]);
    expect(await placeOf(12)).toEqual(["visits_20310505"]);
    expect(await placeOf(13)).toEqual(["visits_default"]);
    await appendVisits(db, [visit({ urlId: 14, settledAt: day })]);
    expect(await placeOf(14)).toEqual(["visits_20310504"]);
    expect(await partitions()).toEqual([
      "visits_20310504",
      "visits_20310505",
      "visits_20310506",
      "visits_20310507",
      "visits_default",
    ]);
    const before = await partitions();
    await ensurePartitions(db, day);
    expect(await partitions()).toEqual(before);
  });

  test("whole days before a moment are dropped, and what the default one has of them", async () => {
    const before = new Date("2031-05-06T12:00:00Z");
    await appendVisits(db, [visit({ urlId: 15, settledAt: new Date("2031-05-01T00:00:00Z") })]);
    expect(await dropPartitions(db, before)).toBe(2);
    expect(await partitions()).toEqual(["visits_20310506", "visits_20310507", "visits_default"]);
    for (const urlId of [11, 12, 14, 15]) expect(await placeOf(urlId)).toEqual([]);
    expect(await placeOf(13)).toEqual(["visits_default"]);
    expect(await dropPartitions(db, before)).toBe(0);
  });

  test("have the indexes of the whole", async () => {
    const rows = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from pg_indexes where tablename = 'visits_20310506'`,
    );
    expect(rows[0]!.n).toBe(3);
  });
});

describe("history", () => {
  test("comes back newest first, with the URL where it is still there", async () => {
    const [id] = await admitPaths(db, "history.test", ["/a"]);
    const { id: hostId } = await hostNamed(db, "history.test");
    const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1_000);
    const rows = [3, 1, 2].map((ago) =>
      visit({ urlId: id!, hostId, settledAt: at(ago), reason: `${ago} "ago"\\`, status: null }),
    );
    await appendVisits(db, [...rows, visit({ urlId: 99, hostId, settledAt: at(9) })]);
    const found = await visitsOf(db, id!, 10);
    expect(found.map(({ id: _, ...row }) => row)).toEqual([rows[1]!, rows[2]!, rows[0]!]);
    expect(await visitsOf(db, id!, 1)).toHaveLength(1);
    const ofHost = await visitsOfHost(db, hostId, 10);
    const url = "http://history.test/a";
    expect(ofHost.map((row) => row.url)).toEqual([url, url, url, null]);
  });

  test("a row that the store refuses is left out, and takes nobody with it", async () => {
    const rows = Array.from({ length: 9 }, (_, at) => visit({ urlId: 500 + at, hostId: 77 }));
    rows[4] = { ...rows[4]!, reason: "a NUL \0" };
    rows[7] = { ...rows[7]!, status: 70_000 };
    expect(await appendVisits(db, rows)).toBe(2);
    const kept = (await visitsOfHost(db, 77, 100)).map((row) => row.urlId).sort();
    expect(kept).toEqual([500, 501, 502, 503, 505, 506, 508]);
    expect(await appendVisits(db, [])).toBe(0);
  });
});

test("rates, times and activity count pages and errors as they are", async () => {
  await db.execute(sql`delete from visits`);
  expect(await timeToSearchable(db, 60)).toBeNull();
  expect(await fetchTimes(db, 60)).toBeNull();
  expect(await pagesPerSecond(db, 10)).toBe(0);

  const began = Math.floor(Date.now() / 5_000) * 5_000 - 20_000;
  const at = (ms: number) => new Date(began + ms);
  const timed = (fetchMs: number, indexMs: number | null, status: number | null, settled: number) =>
    visit({
      fetchStartedAt: at(0),
      fetchedAt: status === null ? null : at(fetchMs),
      indexedAt: indexMs === null ? null : at(indexMs),
      status,
      settledAt: at(settled),
    });
  const pages = Array.from({ length: 100 }, (_, n) => timed(n + 1, 10 * (n + 1), 200, 100));
  await appendVisits(db, [
    ...pages,
    timed(50, null, 304, 6_000),
    timed(50, null, 301, 6_000),
    timed(50, null, 404, 6_000),
    timed(50, null, 503, 11_000),
    timed(50, null, null, 11_000),
    // Robots said no: nothing was sent.
    visit({
      fetchStartedAt: null,
      fetchedAt: null,
      indexedAt: null,
      status: null,
      settledAt: at(0),
    }),
  ]);
  expect(await timeToSearchable(db, 600)).toEqual({ p50: 500, p95: 950, p99: 990 });
  expect(await fetchTimes(db, 600)).toEqual({ p50: 50, p95: 95, p99: 99 });
  expect(await pagesPerSecond(db, 100)).toBeCloseTo(1.01);
  expect(await activitySince(db, at(-60_000), 5)).toEqual([
    { at: at(0), pages: 100, errors: 0 },
    { at: at(5_000), pages: 1, errors: 1 },
    { at: at(10_000), pages: 0, errors: 2 },
  ]);
  expect(await activitySince(db, at(5_000), 5)).toHaveLength(2);
});
