import { describe, expect, test } from "bun:test";
import type { ActivityBucket } from "../../src/db/stats.ts";
import { createActivity } from "../../src/http/activity.ts";
import type { VisitRow } from "../../src/http/deps.ts";
import { gapBins } from "../../src/http/gaps.ts";
import { createOverview } from "../../src/http/overview.ts";
import { createFake } from "./fake.ts";
import { NOW, visits } from "./rows.ts";

describe("activity", () => {
  const bucket = (at: number, pages: number, errors = 0): ActivityBucket => ({
    at: new Date(at),
    pages,
    errors,
  });

  test("is 90 rates of ended buckets, gaps filled with zero", async () => {
    const read = createActivity(async () => [
      bucket(NOW - 10_000, 50, 5),
      bucket(NOW - 900_000, 10),
      bucket(NOW, 999),
    ]);
    const { pages, errors } = await read(NOW + 3_000);
    expect(pages).toHaveLength(90);
    expect(pages[0]).toBe(1);
    expect(pages[89]).toBe(5);
    expect(errors[89]).toBe(0.5);
    expect(pages.slice(1, 89).every((rate) => rate === 0)).toBe(true);
  });

  test("asks the store once a bucket, and then for the newest rows only", async () => {
    const asked: number[] = [];
    const read = createActivity(async (since) => {
      asked.push((NOW - since.getTime()) / 1_000);
      return [];
    });
    for (let second = 0; second < 30; second += 1) await read(NOW + second * 1_000);
    expect(asked).toEqual([900, 10, 0]);
  });

  test("a failed read is asked again", async () => {
    let fails = true;
    const read = createActivity(async () => {
      if (fails) throw new Error("away");
      return [bucket(NOW - 10_000, 10)];
    });
    expect(read(NOW)).rejects.toThrow("away");
    fails = false;
    expect((await read(NOW)).pages.at(-1)).toBe(1);
  });
});

describe("the overview's reading", () => {
  test("is shared by all who ask within a second", async () => {
    const fake = createFake();
    let reads = 0;
    const { status } = fake.deps;
    fake.deps.status = () => {
      reads += 1;
      return status();
    };
    const read = createOverview(fake.deps);
    await Promise.all(Array.from({ length: 50 }, read));
    await read();
    expect(reads).toBe(1);
    fake.advance(1_000);
    await read();
    expect(reads).toBe(2);
  });

  test("has gaps where the store is down, and no error", async () => {
    const fake = createFake();
    fake.breakStore();
    const overview = await createOverview(fake.deps)();
    expect(overview).toMatchObject({
      activity: null,
      errorsPerS: null,
      fetchTimes: null,
      hosts: null,
      conservation: null,
      loopLag: { p99Ms: 12.5 },
      status: { urls: null, parts: { postgres: "down" } },
    });
  });
});

describe("the gap histogram", () => {
  const at = (startedMs: number, endedMs: number | null): VisitRow => ({
    ...visits("x")[0]!,
    fetchStartedAt: new Date(startedMs),
    fetchedAt: endedMs === null ? null : new Date(endedMs),
  });

  test("counts from the end of an answer to the next request, in any order of rows", () => {
    const rows = [
      at(10_000, 10_200),
      at(0, 500),
      at(1_500, 1_600),
      at(3_000, null),
      at(11_100, 11_150),
    ];
    // Gaps: 1.0, 1.4, 7.0 (from the start, as its end is unknown) and 0.9 of the delay.
    expect(gapBins(rows, 1_000).map((bin) => bin.count)).toEqual([1, 1, 1, 0, 0, 1]);
    expect(gapBins(rows, 1_000)[0]).toMatchObject({ label: "under 1×", isShort: true });
  });

  test("leaves out visits that never fetched, and is empty below two", () => {
    const none = { ...visits("x")[0]!, fetchStartedAt: null };
    expect(gapBins([none, at(0, 1), none], 1_000).every((bin) => bin.count === 0)).toBe(true);
    expect(gapBins([], 0).every((bin) => bin.count === 0)).toBe(true);
  });

  test("without a delay are told in time, and none is too short", () => {
    const bins = gapBins([at(0, 5), at(10, 20), at(70, 80), at(5_080, 5_090)], 0);
    expect(bins.map(({ label, count }) => [label, count])).toEqual([
      ["under 10 ms", 1],
      ["10 to 100 ms", 1],
      ["0.1 to 1 s", 0],
      ["1 to 10 s", 1],
      ["10 to 60 s", 0],
      ["over 1 min", 0],
    ]);
    expect(bins.some((bin) => bin.isShort)).toBe(false);
  });
});
