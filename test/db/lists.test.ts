import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { countHostsByState, countTurns, countUrlsByState } from "../../src/db/counts.ts";
import { type HostQuery, listHosts } from "../../src/db/hosts-list.ts";
import type { Page } from "../../src/db/paging.ts";
import { listUrls, readListedUrl, type UrlQuery, urlIdsAfter } from "../../src/db/urls-list.ts";
import { HOST_SORTS } from "../../src/http/deps.ts";
import { testDatabase } from "../support/database.ts";
import { admitPaths, claimAll, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());

const names = ["bravo.test", "alpha.test", "delta.test", "charlie.test", "a-lpha.example"];
for (const [at, name] of names.entries()) {
  const paths = Array.from({ length: at + 1 }, (_, n) => ({
    priority: 10 * (n + 1),
    nextCrawlAt: new Date(Date.now() + (n - 2) * 3_600_000),
  }));
  await admitPaths(db, name, paths);
}
await db.execute(sql`update urls set state = 'failed', reason = 'timeout', status = 504,
  visited_at = now() - priority * interval '1 minute', next_crawl_at = null
  where priority = 20`);
await db.execute(sql`update hosts set page_count = 7, throttles = 3, state = 'dead',
  next_turn_at = null where name = 'delta.test'`);
await db.execute(sql`update hosts set authority = 1 / (id + 2.7)::real, linking_hosts = id
  where name like '%.test'`);
const turn = await turnAt(db, "alpha.test");
await claimAll(db, turn);

/** All pages one after the other, by cursor. */
async function walk<Row>(read: (after: string | null) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | null = null; ; ) {
    const page = await read(after);
    rows.push(...page.rows);
    expect(page.hasMore).toBe(page.next !== null);
    if (page.next === null) return rows;
    after = page.next;
  }
}

describe("hosts", () => {
  const list = (query: Partial<HostQuery>) =>
    walk((after) => listHosts(db, { sort: "name", order: "asc", perPage: 2, ...query, after }));
  const order = async (query: Partial<HostQuery>) => (await list(query)).map(({ name }) => name);
  const sorted = [...names].sort();

  test("by every sort, both ways, page by page: each once", async () => {
    for (const sort of HOST_SORTS) {
      const up = await order({ sort, order: "asc" });
      expect([...up].sort()).toEqual(sorted);
      expect(await order({ sort, order: "desc" })).toEqual([...up].reverse());
    }
    expect(await order({})).toEqual(sorted);
    expect(await order({ sort: "urls", order: "asc" })).toEqual(names);
    const pages = await order({ sort: "pages", order: "desc" });
    expect(pages[0]).toBe("delta.test");
    expect((await order({ sort: "next", order: "asc" })).slice(-2).sort()).toEqual([
      "alpha.test",
      "delta.test",
    ]);
  });

  test("by state and part of the name, with their number", async () => {
    expect(await order({ state: "dead" })).toEqual(["delta.test"]);
    expect(await order({ text: "LPHA" })).toEqual(["a-lpha.example", "alpha.test"]);
    expect(await order({ text: "%" })).toEqual([]);
    expect(await order({ text: "a\0" })).toEqual([]);
    const page = await listHosts(db, { sort: "name", order: "asc", perPage: 2, text: ".test" });
    expect([page.rows.length, page.total, page.hasMore]).toEqual([2, 4, true]);
  });

  test("by number of the page; a cursor that is none begins at the begin", async () => {
    const page = async (query: Partial<HostQuery>) => {
      const found = await listHosts(db, { sort: "name", order: "asc", perPage: 2, ...query });
      return found.rows.map(({ name }) => name);
    };
    expect(await page({ page: 2 })).toEqual(sorted.slice(2, 4));
    expect(await page({ page: 3 })).toEqual(sorted.slice(4));
    expect(await page({ page: 0 })).toEqual(sorted.slice(0, 2));
    const forged = Buffer.from('["x\\u0000",1]').toString("base64url");
    for (const after of ["nonsense", forged, ""]) {
      expect(await page({ after })).toEqual(sorted.slice(0, 2));
    }
    const sorts = ["next", "pages"] as const;
    for (const sort of sorts) expect(await page({ sort, after: forged })).toHaveLength(2);
  });

  test("counted by state", async () => {
    const counts = await countHostsByState(db);
    expect(counts).toMatchObject({ active: 4, dead: 1, paused: 0, out_of_region: 0 });
    expect(await countTurns(db)).toBe(1);
  });
});

describe("URLs", () => {
  const list = (query: Partial<UrlQuery>) =>
    walk((after) => listUrls(db, { sort: "newest", perPage: 3, ...query, after }));

  test("by every sort, page by page: each once", async () => {
    const all = await list({});
    expect(all).toHaveLength(15);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    for (const sort of ["oldest", "priority", "next", "visited"] as const) {
      const found = (await list({ sort })).map(({ id }) => id);
      expect([...found].sort((a, b) => b - a)).toEqual(ids);
    }
    const priorities = (await list({ sort: "priority" })).map(({ priority }) => priority);
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
    const due = (await list({ sort: "next" })).map((row) => row.nextCrawlAt?.getTime() ?? Infinity);
    expect(due).toEqual([...due].sort((a, b) => a - b));
    expect((await list({ sort: "visited" }))[0]!.visitedAt).not.toBeNull();
  });

  test("by state, host, reason, status and age, together", async () => {
    const failed = await list({ state: "failed" });
    expect(failed).toHaveLength(4);
    expect(new Set(failed.map(({ host }) => host)).has("bravo.test")).toBe(false);
    expect(await list({ state: "in_progress" })).toHaveLength(1);
    expect(await list({ host: "delta.test" })).toHaveLength(3);
    expect(await list({ host: "delta.test", state: "failed", reason: "timeout" })).toHaveLength(1);
    expect(await list({ reason: "nothing of the kind" })).toEqual([]);
    expect(await list({ host: "nobody.test" })).toEqual([]);
    expect(await list({ status: 504 })).toHaveLength(4);
    expect(await list({ admittedBefore: new Date(Date.now() - 3_600_000) })).toEqual([]);
    expect(await list({ reason: "\0", host: "\0" })).toEqual([]);
  });

  test("a bulk action walks the ids that match", async () => {
    const walked: number[] = [];
    for (let after = 0; ; after = walked.at(-1)!) {
      const ids = await urlIdsAfter(db, { state: "failed" }, after, 3);
      if (ids.length === 0) break;
      walked.push(...ids);
    }
    const failed = (await list({ state: "failed", sort: "oldest" })).map(({ id }) => id);
    expect(walked).toEqual(failed);
    const row = await readListedUrl(db, failed[0]!);
    expect(row).toMatchObject({ id: failed[0]!, state: "failed" });
    expect(await readListedUrl(db, 999_999)).toBeNull();
  });

  test("counted by state: states add up, due are among the pending", async () => {
    const counts = await countUrlsByState(db);
    expect(counts).toEqual({
      pending: 10,
      due: 7,
      in_progress: 1,
      done: 0,
      failed: 4,
      blocked: 0,
    });
    const { id } = turn.host;
    expect(await countUrlsByState(db, id)).toMatchObject({ in_progress: 1, failed: 1, pending: 0 });
  });
});
