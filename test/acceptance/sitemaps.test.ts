import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { explainUrl } from "../../src/crawl/explain.ts";
import { readCounters } from "../../src/db/counters.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { gapsOf, mostAtOnce, robots, startOrigin, status } from "../support/origin.ts";
import { findUrl, hostOf, isCrawled, urlOf } from "../support/rows.ts";
import {
  lookedAt,
  makeSitemapDue,
  rss,
  sitemapIndex,
  sitesWithMaps,
  urlset,
  xml,
} from "../support/sitemaps.ts";
import { until } from "../support/until.ts";

const DELAY_MS = 20;
const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({ CRAWL_DELAY_MS: `${DELAY_MS}`, SITEMAP_MAX_BYTES: "1000000" });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

const { front, named, seeded } = sitesWithMaps(origin, () => crawl);

describe("sitemaps of a host", () => {
  const HOST = "127.0.30.1";
  const at = (path: string) => origin.url(HOST, path);

  beforeAll(async () => {
    origin.host(HOST, {
      "/robots.txt": named(HOST, "/index.xml", "/list.txt"),
      "/": () => {
        const feed = '<link rel="alternate" type="application/atom+xml" href="/feed">';
        const text = `<html><head>${feed}<title>front</title></head><body>front</body></html>`;
        return new Response(text, { headers: { "content-type": "text/html" } });
      },
      "/index.xml": () => sitemapIndex(at("/a.xml"), at("/b.xml.gz"), at("/gone.xml")),
      "/a.xml": () =>
        urlset({ loc: at("/a1"), priority: 1 }, { loc: at("/a2"), priority: 0 }, at("/a3")),
      "/b.xml.gz": () =>
        xml(
          Uint8Array.from(gzipSync(`<urlset><url><loc>${at("/b1")}</loc></url></urlset>`)),
          "application/x-gzip",
        ),
      "/list.txt": () => robots(at("/t1"), "", "no URL", at("/t2"), "http://other.example/x"),
      "/feed": () => rss(at("/f1"), "/f2"),
      ...Object.fromEntries(
        ["/a1", "/a2", "/a3", "/b1", "/t1", "/t2", "/f1", "/f2"].map((path) => [
          path,
          `of ${path}`,
        ]),
      ),
    });
    await seeded(HOST);
    for (const path of ["/a1", "/b1", "/t1", "/f1", "/f2"]) {
      await until(() => isCrawled(crawl, at(path)), { timeoutMs: 40_000, what: path });
    }
  });

  test("come from robots.txt, indexes and links of pages; their URLs say so", async () => {
    for (const [path, via] of [
      ["/a1", "sitemap"],
      ["/a3", "sitemap"],
      ["/b1", "sitemap"],
      ["/t2", "sitemap"],
      ["/f1", "feed"],
    ] as const) {
      const told = await explainUrl({ db: crawl.database.db, config: crawl.config }, at(path));
      expect(told).toMatchObject({ via, depth: 1 });
    }
    const rows = await Promise.all(
      ["/index.xml", "/a.xml", "/b.xml.gz", "/list.txt", "/feed"].map((path) =>
        lookedAt(crawl, at(path)),
      ),
    );
    expect(
      rows.map(({ kind, origin: from, depth, entries, admitted, reason, failures }) => [
        kind,
        from,
        depth,
        entries,
        admitted,
        reason,
        failures,
      ]),
    ).toEqual([
      ["sitemap", "robots", 0, 3, 0, null, 0],
      ["sitemap", "index", 1, 3, 3, null, 0],
      ["sitemap", "index", 1, 1, 1, null, 0],
      ["sitemap", "robots", 0, 3, 2, null, 0],
      ["feed", "link", 0, 2, 2, null, 0],
    ]);
  });

  test("give their URLs a priority within narrow bounds", async () => {
    const priorities = await Promise.all(
      ["/a1", "/a2", "/a3"].map((path) => urlOf(crawl, at(path))),
    );
    expect(priorities.map(({ priority }) => priority)).toEqual([114, 106, 110]);
    expect((await urlOf(crawl, at("/f1"))).priority).toBe(150);
  });

  test("are counted by what they brought", async () => {
    const counters = await readCounters(crawl.database.db);
    expect(counters.get("admitted.sitemap")).toBeGreaterThanOrEqual(6);
    expect(counters.get("admitted.feed")).toBeGreaterThanOrEqual(2);
  });

  test("that are not there are asked for again in a week", async () => {
    const row = await lookedAt(crawl, at("/gone.xml"));
    expect(row).toMatchObject({ reason: "http 404", failures: 1 });
    const days = (row.nextFetchAt!.getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect((await hostOf(crawl, HOST)).failures).toBe(0);
  });

  test("bring no URL of a host that is out of scope", async () => {
    expect(await findUrl(crawl, "http://other.example/x")).toBeNull();
  });

  test("are asked for one at a time, with the gap of a page", () => {
    const asked = origin.asked(HOST);
    expect(asked.length).toBeGreaterThan(12);
    expect(mostAtOnce(asked)).toBe(1);
    expect(Math.min(...gapsOf(asked))).toBeGreaterThanOrEqual(DELAY_MS - 1);
  });
});

describe("a sitemap that is looked at again", () => {
  const HOST = "127.0.30.2";
  const at = (path: string) => origin.url(HOST, path);
  let body: () => Response = () => urlset(at("/old"), at("/same"));

  beforeAll(async () => {
    origin.host(HOST, {
      "/robots.txt": named(HOST, "/map.xml"),
      "/": front(HOST),
      "/map.xml": ({ headers }) => {
        if (headers.get("if-none-match") === '"1"') return status(304, { etag: '"1"' });
        const response = body();
        response.headers.set("etag", '"1"');
        return response;
      },
      "/old": "old",
      "/same": "same",
      "/new": "new",
    });
    await seeded(HOST);
    for (const path of ["/old", "/same"]) await until(() => isCrawled(crawl, at(path)));
  });

  test("and has not changed costs a 304; a host with nothing else due gets its turn", async () => {
    const first = await lookedAt(crawl, at("/map.xml"));
    expect(first.intervalS).toBe(86_400);
    await makeSitemapDue(crawl, at("/map.xml"));
    const second = await lookedAt(crawl, at("/map.xml"), first.fetchedAt!);
    expect(origin.asked(HOST, "/map.xml").map((access) => access.status)).toEqual([200, 304]);
    expect(second).toMatchObject({ entries: 2, admitted: 2, intervalS: 129_600, failures: 0 });
    await until(async () => (await hostOf(crawl, HOST)).nextTurnAt !== null);
    const days = ((await hostOf(crawl, HOST)).nextTurnAt!.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(0.8);
  });

  test("makes due at once what was modified since its visit, and nothing else", async () => {
    const before = await urlOf(crawl, at("/same"));
    const newer = new Date().toISOString();
    const old = new Date(before.visitedAt!.getTime() - 1_000).toISOString();
    body = () =>
      urlset(
        { loc: at("/old"), lastmod: newer },
        { loc: at("/same"), lastmod: old },
        { loc: at("/"), lastmod: "2999-01-01" },
        at("/new"),
      );
    await crawl.database.sql`update sitemaps set etag = null where url = ${at("/map.xml")}`;
    await makeSitemapDue(crawl, at("/map.xml"));
    await until(() => origin.asked(HOST, "/old").length === 2, { what: "/old once more" });
    await until(() => isCrawled(crawl, at("/new")));
    expect((await urlOf(crawl, at("/same"))).nextCrawlAt).toEqual(before.nextCrawlAt);
    expect(origin.asked(HOST, "/")).toHaveLength(1);
    const row = await lookedAt(crawl, at("/map.xml"));
    expect(row).toMatchObject({ entries: 4, admitted: 3, intervalS: 64_800 });
  });
});
