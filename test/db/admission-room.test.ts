import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { type AdmitRow, admitUrls } from "../../src/db/admit-urls.ts";
import { conservation } from "../../src/db/counts.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, candidate } from "./frontier.ts";

const database = await testDatabase({ max: 10 });
const { db } = database;
afterAll(() => database.close());

const perHost = (hostUrlsMax: number) => ({ ...ROOM_FOR_ALL, hostUrlsMax });
const many = (host: string, count: number, more: Partial<AdmitRow> = {}) =>
  Array.from({ length: count }, (_, n) => candidate(`http://${host}/${n}`, more));
const kinds = (results: Awaited<ReturnType<typeof admitUrls>>) =>
  results.map((each) => (each.kind === "refused" ? each.reason : each.kind));

async function countOf(host: string): Promise<{ rows: number; counted: number }> {
  const { id, urlCount } = await hostNamed(db, host);
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from urls where host_id = ${id}`,
  );
  return { rows: row!.n, counted: urlCount };
}

async function expectLaw(): Promise<void> {
  const law = await conservation(db);
  expect(law.accepted).toBe(law.present + law.removed);
}

describe("a host takes no more URLs than its quota", () => {
  test("of one batch the first ones stay, and those of higher priority before them", async () => {
    const rows = many("one.test", 8);
    rows.push(candidate("http://one.test/high", { priority: 200 }));
    const results = kinds(await admitUrls(db, rows, [], perHost(5)));
    expect(results.slice(0, 4)).toEqual(Array(4).fill("admitted"));
    expect(results.slice(4, 8)).toEqual(Array(4).fill("host full"));
    expect(results[8]).toBe("admitted");
    expect(await countOf("one.test")).toEqual({ rows: 5, counted: 5 });
    await expectLaw();
  });

  test("a URL that a person names is known, or told that there is no room", async () => {
    const named = { raise: true, seeds: true, via: "seed" } as const;
    await admitUrls(db, many("named.test", 3), [], perHost(3));
    const rows = many("named.test", 4, named);
    expect(kinds(await admitUrls(db, rows, [], perHost(3)))).toEqual([
      ...Array(3).fill("known"),
      "host full",
    ]);
    expect(await countOf("named.test")).toEqual({ rows: 3, counted: 3 });
    await expectLaw();
  });

  test("its own quota comes before the setting; full in bytes is full", async () => {
    await admitPaths(db, "own.test", ["/first"]);
    await admitPaths(db, "bytes.test", ["/first"]);
    await db.execute(sql`update hosts set urls_max = 3 where name = 'own.test'`);
    await db.execute(sql`update hosts set bytes_max = 9, byte_count = 9 where name = 'bytes.test'`);
    const rows = [...many("own.test", 9), ...many("bytes.test", 9), ...many("free.test", 9)];
    await admitUrls(db, rows, [], perHost(7));
    expect(await countOf("own.test")).toEqual({ rows: 3, counted: 3 });
    expect(await countOf("bytes.test")).toEqual({ rows: 1, counted: 1 });
    expect(await countOf("free.test")).toEqual({ rows: 7, counted: 7 });
    await expectLaw();
  });

  test("many admissions at once do not pass it together", async () => {
    const batches = Array.from({ length: 10 }, (_, at) =>
      Array.from({ length: 30 }, (_, n) => candidate(`http://race.test/${at}/${n}`)),
    );
    const results = await Promise.all(batches.map((rows) => admitUrls(db, rows, [], perHost(50))));
    const admitted = results.flat().filter(({ kind }) => kind === "admitted");
    expect(admitted).toHaveLength(50);
    expect(await countOf("race.test")).toEqual({ rows: 50, counted: 50 });
    await expectLaw();
  });
});

test("the frontier is counted down: what is beyond it is refused, and known ones are told", async () => {
  const { present } = await conservation(db);
  const room = { ...ROOM_FOR_ALL, frontierUrlsMax: present + 4 };
  const first = kinds(await admitUrls(db, many("frontier.test", 6), [], room));
  expect(first).toEqual([...Array(4).fill("admitted"), ...Array(2).fill("frontier full")]);
  const named = many("frontier.test", 5, { raise: true });
  const again = kinds(await admitUrls(db, named, [], room));
  expect(again).toEqual([...Array(4).fill("known"), "frontier full"]);
  expect(kinds(await admitUrls(db, many("other.test", 1), [], room))).toEqual(["frontier full"]);
  expect(await countOf("frontier.test")).toEqual({ rows: 4, counted: 4 });
  await expectLaw();
});
