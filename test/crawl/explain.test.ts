import { afterAll, expect, test } from "bun:test";
import { explainUrl } from "../../src/crawl/explain.ts";
import { saveDocuments } from "../../src/db/documents.ts";
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
