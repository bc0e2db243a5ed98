import { afterAll, expect, test } from "bun:test";
import { explainUrl } from "../../src/crawl/explain.ts";
import { saveDocuments } from "../../src/db/documents.ts";
import { saveLearned } from "../../src/db/traps.ts";
import { admitPaths, documentOf } from "../db/frontier.ts";
import { testConfig } from "../support/crawl.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase({ max: 2 });
const { db, sql } = database;
afterAll(() => database.close());

test("a host that was never asked has no next fetch, not one at the beginning of time", async () => {
  await admitPaths(db, "explain.example", ["/"]);
  const [url] = (await sql<{ url: string }[]>`select url from urls`).map((row) => row.url);
  const nextFetchAt = async (at: Date | null) => {
    const text = at === null ? null : at.toISOString();
    await sql`update hosts set next_fetch_at = ${text} where name = 'explain.example'`;
    const found = await explainUrl({ db, config: testConfig() }, url!);
    if (found === null) throw new Error(`${url} is not known`);
    return (found.host as { next_fetch_at: Date | null }).next_fetch_at;
  };
  expect(await nextFetchAt(null)).toBeNull();
  expect(await nextFetchAt(new Date(0))).toBeNull();
  expect(await nextFetchAt(new Date(5_000))).toEqual(new Date(5_000));
});

test("a URL that a trap keeps out says by which", async () => {
  await admitPaths(db, "maze.example", ["/shop?color=red&sid=1"]);
  const [host] = await sql<{ id: number }[]>`select id from hosts where name = 'maze.example'`;
  const explained = (url: string) => explainUrl({ db, config: testConfig() }, url);
  expect(await explained("http://maze.example/shop?color=blue")).toBeNull();
  const seen = new Uint8Array(8);
  const counts = { pages: 20, dry: 16, barren: 16, seen, cutAt: 1_000, lookAt: 2_000 };
  await saveLearned(
    db,
    [{ hostId: host!.id, pattern: "/shop?*", ...counts, isNew: true }],
    [{ hostId: host!.id, name: "sid", same: 12, different: 0, neutralAt: 1_000 }],
  );
  expect(await explained("http://maze.example/shop?color=blue")).toMatchObject({
    state: "refused",
    why: "not admitted: pattern cut, pages of /shop?* brought nothing new",
  });
  expect(await explained("http://maze.example/other?sid=2")).toMatchObject({
    why: "not admitted: same page as http://maze.example/other",
  });
  expect((await explained("http://maze.example/shop?color=red&sid=1"))!.traps).toEqual({
    cut_by: "/shop?*",
    same_page_as: "http://maze.example/shop?color=red",
  });
  expect(await explained("http://maze.example/plain")).toBeNull();
});

test("how far a page is of the region, and by what", async () => {
  const [id] = await admitPaths(db, "region.example", ["/"]);
  const explained = async () => {
    const found = await explainUrl({ db, config: testConfig() }, "http://region.example/");
    return found?.region;
  };
  expect(await explained()).toBeNull();
  const signals = [{ kind: "place" as const, matched: "Gaspé", count: 2, points: 1.5 }];
  const region = { signals, locations: ["Gaspé"] };
  await saveDocuments(db, [documentOf(id!, { regionScore: 700, region, category: "travel" })]);
  await sql`update hosts set region_sum = 700, region_count = 1 where name = 'region.example'`;
  expect(await explained()).toEqual({
    score: 0.7,
    host_score: (0.7 + 2.5) / 6,
    category: "travel",
    locations: ["Gaspé"],
    signals,
  });
});
