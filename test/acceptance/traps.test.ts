import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { liftHostTraps } from "../../src/crawl/whole-host.ts";
import { trapsOfHost } from "../../src/db/traps.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { crawlAll } from "../support/crawl-all.ts";
import { forum, PRODUCTS, pageOf, productsOn, serve, shop, THREADS } from "../support/mazes.ts";
import { startOrigin } from "../support/origin.ts";
import { pause } from "../support/pause.ts";
import { hostNamed } from "../support/rows.ts";
import { until } from "../support/until.ts";

/** Fetches that a trap may waste. */
const WASTED_MAX = 50;
const origin = startOrigin();
let crawl: TestCrawl;
let nextHost = 1;
const newHost = () => `127.0.20.${nextHost++}`;

setDefaultTimeout(120_000);
crawl = await startCrawl({ CRAWL_IP_DELAY_MS: "0", CRAWL_MAX_DEPTH: "100" });
afterAll(async () => {
  await crawl?.stop();
  await origin.stop();
});

const pathsOf = (host: string) => origin.asked(host).map(({ path }) => path);

/** Why URLs of a host were left alone, once that has been counted. */
async function reasonsOf(host: string): Promise<string[]> {
  const { id } = (await hostNamed(crawl.database.db, host))!;
  const read = async () => (await trapsOfHost(crawl.database.db, id)).refusals;
  await until(async () => (await read()).length > 0, { timeoutMs: 15_000, what: "the reason" });
  return (await read()).map(({ reason }) => reason);
}

describe("20: a site without end", () => {
  const MAZES: [name: string, reason: string, answer: (path: string, query: string) => Response][] =
    [
      ["a relative link on each page", "trap", () => pageOf("Next", ["Go on."], ["next/"])],
      [
        "two folders in turn",
        "trap",
        (path) => pageOf("Turn", ["Go on."], [path.endsWith("/a/") ? "b/" : "a/"]),
      ],
      [
        "its own address as a parameter",
        "pattern cut",
        (path, query) => {
          const own = `http://site${path}${query === "" ? "" : `?${query}`}`;
          return pageOf("Page", ["The same as ever."], [`/p?x=${own}`]);
        },
      ],
      [
        "its own address as a parameter, encoded",
        "pattern cut",
        (path, query) => {
          const own = encodeURIComponent(`${path}${query === "" ? "" : `?${query}`}`);
          return pageOf("Page", ["The same as ever."], [`/p?x=${own.slice(-900)}`, "/p?x=1"]);
        },
      ],
      [
        "a calendar by its query",
        "pattern cut",
        (_, query) => {
          const year = Number(new URLSearchParams(query).get("y") ?? 2026);
          const text = `Events of ${year}. None. Before: ${year - 1}. Then: ${year + 1}.`;
          return pageOf(`Calendar ${year}`, [text], [`/?y=${year - 1}`, `/?y=${year + 1}`]);
        },
      ],
      [
        "a calendar by its path",
        "pattern cut",
        (path) => {
          const [, year = 2026, month = 1] = /(\d+)\/(\d+)/.exec(path) ?? [];
          const next = (Number(month) % 12) + 1;
          const text = `Events of ${month}/${year}. There are none.`;
          const to = `/cal/${Number(year) + (next === 1 ? 1 : 0)}/${next}`;
          return pageOf(`Month ${month}`, [text], [to]);
        },
      ],
      [
        "two calendars that lead to each other",
        "pattern cut",
        (path, query) => {
          const at = Number(new URLSearchParams(query).get("d") ?? 0);
          const links = [`/day?d=${at + 1}`, `/week?d=${at + 1}`, `/day?d=${at + 2}`];
          return pageOf(path, [`Nothing in this ${path.slice(1)}; ${at + 1} is next.`], links);
        },
      ],
    ];

  test.concurrent.each(MAZES)(
    "%s ends within 50 fetches, by the reason %s",
    async (_, reason, answer) => {
      const host = newHost();
      serve(origin, host, answer);
      await crawlAll(crawl, origin, host, "/");
      console.log(`${_}: ${pathsOf(host).length} fetches`);
      expect(pathsOf(host).length).toBeGreaterThan(1);
      expect(pathsOf(host).length).toBeLessThanOrEqual(WASTED_MAX);
      expect(await reasonsOf(host)).toContain(reason);
    },
  );
});

test("what waits is left alone as well; a lift gives it another chance", async () => {
  const host = newHost();
  serve(origin, host, (path, query) => {
    const at = Number(new URLSearchParams(query).get("d") ?? 0);
    const days = Array.from({ length: 40 }, (_, n) => `/?d=${at * 40 + n + 1}`);
    return pageOf("Calendar", [`Day ${at}, ${path} ${at + 1}. No events.`], days);
  });
  await crawlAll(crawl, origin, host, "/");
  const fetched = pathsOf(host).length;
  expect(fetched).toBeLessThanOrEqual(WASTED_MAX);
  const { id } = (await hostNamed(crawl.database.db, host))!;
  const left = async () => {
    const rows = await crawl.database.sql`select reason, count(*)::int as n from urls
      where host_id = ${id} and visits > 0 and crawled_at is null group by reason`;
    return rows.map(({ reason, n }) => [reason, n]);
  };
  const [[reason, count] = []] = await left();
  expect(reason).toBe("pattern cut");
  expect(count).toBeGreaterThan(100);
  // A cut that is younger than this may not be known to the store yet.
  await pause(6_000);
  expect(await liftHostTraps(crawl.operate, id, "tester")).toEqual({ kind: "done" });
  await pause(3_000);
  await crawlAll(crawl, origin, host, "/");
  const again = pathsOf(host).length - fetched;
  console.log(`lifted: ${fetched} fetches, then ${again}`);
  expect(again).toBeGreaterThan(5);
  expect(again).toBeLessThanOrEqual(WASTED_MAX);
});

describe("a shop with 6 facets, 46,656 choices of 60 products", () => {
  test.concurrent.each([
    ["all of a choice on one page", PRODUCTS],
    ["twelve of a choice on each page", 12],
  ])("%s: every product is found within 50 wasted fetches", async (_, atOnce) => {
    const host = newHost();
    shop(origin, host, atOnce);
    await crawlAll(crawl, origin, host, "/");
    const shown = new Set<string>();
    const isProduct = (path: string) => path.startsWith("/product/");
    const fetched = new Set(pathsOf(host).filter(isProduct));
    let wasted = 0;
    for (const path of pathsOf(host).filter((each) => !isProduct(each))) {
      const on = productsOn(path, atOnce);
      if (on.every((each) => shown.has(each))) wasted++;
      for (const each of on) shown.add(each);
    }
    console.log(`${_}: ${fetched.size} products, ${wasted} fetches brought none`);
    expect(fetched.size).toBe(PRODUCTS);
    expect(wasted).toBeLessThanOrEqual(WASTED_MAX);
    expect(await reasonsOf(host)).toContain("pattern cut");
  });
});

test("a forum with sessions and orders: each thread is fetched once after learning", async () => {
  const host = newHost();
  forum(origin, host);
  await crawlAll(crawl, origin, host, "/");
  const paths = pathsOf(host);
  const threads = paths.filter((path) => path.startsWith("/thread"));
  const ids = new Set(threads.map((path) => /id=(\d+)/.exec(path)![1]));
  console.log(`forum: ${ids.size} threads by ${threads.length} of ${paths.length} fetches`);
  expect(ids.size).toBe(THREADS);
  expect(paths.length - ids.size).toBeLessThanOrEqual(WASTED_MAX);
  const { id } = (await hostNamed(crawl.database.db, host))!;
  const { parameters } = await trapsOfHost(crawl.database.db, id);
  const learnedAt = Math.max(...parameters.map(({ neutralAt }) => neutralAt!.getTime()));
  // What was on its way then, and what was parsed behind it, could not know of it.
  const later = origin.asked(host, undefined).filter(({ t0 }) => t0 > learnedAt + 100);
  const known = later.map(({ path }) => /^\/thread\?id=(\d+)/.exec(path)?.[1]).filter(Boolean);
  expect(known.length).toBeGreaterThan(0);
  expect(new Set(known).size).toBe(known.length);
  expect(parameters.map(({ name }) => name)).toEqual(["sid", "sort"]);
  expect(await reasonsOf(host)).toContain("same page");
});
