import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { silentLog } from "../../src/log.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { type SearchRequest, search } from "../../src/search/search.ts";
import { documentOf } from "./documents.ts";

const dataDir = mkdtempSync(join(tmpdir(), "trawl-paging-"));
let index: SearchIndex;

/** What may be paged through; matches and candidates of the queries below are more. */
const RESULTS = 200;

/** More matches than candidates, in an order of the index that is not the order of the score. */
beforeAll(async () => {
  const writing = await openIndex({ dataDir, log: silentLog });
  const put = (id: number, host: string, text: string) =>
    writing.put(documentOf({ id, host, text, publishedAt: new Date((id % 97) * 86_400_000) }));
  const puts = Array.from({ length: 900 }, (_, at) => {
    const id = at + 1;
    const other = `x${id} `.repeat((id * 37) % 60);
    const text = `page${"page ".repeat(id % 5)} page ${id % 3 === 0 ? "even" : "odd"} ${other}`;
    // Every fifth text is one of ten that repeat, long enough to be told as copies.
    const copy = `page ${Array.from({ length: 60 }, (_, word) => `c${at % 10}w${word}`).join(" ")}`;
    return put(id, `h${id % 7 === 0 ? 0 : id % 300}.example`, id % 5 === 0 ? copy : text);
  });
  puts.push(...[1, 2, 3].map((id) => put(2_000 + id, `few${id % 2}.example`, "seldom page")));
  await Promise.all(puts);
  // df is written at the latest on closing: changed between two pages it would change the order.
  await writing.close();
  index = await openIndex({ dataDir, log: silentLog });
});
afterAll(async () => {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Way = Pick<SearchRequest, "query" | "sort" | "collapse">;

async function pagesOf(way: Way, perPage: number): Promise<number[]> {
  const pages = Array.from({ length: Math.floor(RESULTS / perPage) }, (_, at) =>
    search(index, { ...way, page: at + 1, perPage, explain: false } as SearchRequest),
  );
  return (await Promise.all(pages)).flatMap(({ hits }) => hits.map(({ id }) => id));
}

test("pages of any size are the same list cut, without repeats", async () => {
  const ways: Way[] = ["page", "page even", "page seldom", "even odd"].flatMap((query) =>
    (["relevance", "date"] as const).flatMap((sort) =>
      (["host", "none"] as const).map((collapse) => ({ query, sort, collapse })),
    ),
  );
  const whole = new Map<Way, number[]>();
  for (const way of ways) {
    const ids = await pagesOf(way, 100);
    expect(new Set(ids).size).toBe(ids.length);
    if (way.collapse === "none") expect(ids).toHaveLength(RESULTS);
    whole.set(way, ids);
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ways),
      fc.constantFrom(5, 7, 10, 33, 50, 90),
      async (way, perPage) => {
        const end = Math.floor(RESULTS / perPage) * perPage;
        expect(await pagesOf(way, perPage)).toEqual(whole.get(way)!.slice(0, end));
      },
    ),
    { numRuns: 25, interruptAfterTimeLimit: 20_000 },
  );
}, 60_000);

test("a first page that few hosts leave empty is filled from further candidates", async () => {
  const own = mkdtempSync(join(tmpdir(), "trawl-paging-"));
  const crowded = await openIndex({ dataDir: own, log: silentLog });
  const puts = Array.from({ length: 300 }, (_, at) =>
    crowded.put(documentOf({ id: at + 1, host: "big.example", title: "Word", text: "word" })),
  );
  for (let id = 301; id <= 320; id++) {
    puts.push(crowded.put(documentOf({ id, host: `h${id}.example`, text: "a word among others" })));
  }
  await Promise.all(puts);
  const request = { query: "word", page: 1, perPage: 10, sort: "relevance" } as const;
  const { hits, total } = await search(crowded, { ...request, explain: false });
  expect([hits.length, total]).toEqual([10, 320]);
  expect(new Set(hits.map(({ host }) => host)).size).toBe(9);
  await crowded.close();
  rmSync(own, { recursive: true, force: true });
});
