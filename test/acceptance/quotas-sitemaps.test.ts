import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { setHostQuota } from "../../src/crawl/operate.ts";
import { readCounters } from "../../src/db/counters.ts";
import { conservation } from "../../src/db/counts.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { startOrigin, status } from "../support/origin.ts";
import { hostOf } from "../support/rows.ts";
import { findSitemap, rss, sitesWithMaps, urlset } from "../support/sitemaps.ts";
import { until } from "../support/until.ts";

const QUOTA = 12;
const PAGES = 40;

const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({ HOST_MAX_URLS: `${QUOTA}` });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

const { front, named, seeded } = sitesWithMaps(origin, () => crawl);

const pagesAre = (host: string, count: number) =>
  until(async () => (await hostOf(crawl, host)).pageCount === count, {
    timeoutMs: 30_000,
    what: `${count} pages of ${host}`,
  });

test("a sitemap reaches HOST_MAX_URLS: told; raised: all its URLs arrive", async () => {
  const host = "127.0.32.1";
  const at = (path: string) => origin.url(host, path);
  const pages = Array.from({ length: PAGES }, (_, n) => `/p${n}`);
  let asked = 0;
  origin.host(host, {
    "/robots.txt": named(host, "/map.xml"),
    "/": front(host),
    // Unchanged it tells nothing to whoever has seen it.
    "/map.xml": (request) => {
      asked++;
      if (request.headers.get("if-none-match") === '"one"') return status(304);
      const map = urlset(...pages.map(at));
      map.headers.set("etag", '"one"');
      return map;
    },
    ...Object.fromEntries(pages.map((path) => [path, `of ${path}`])),
  });
  await seeded(host);
  await pagesAre(host, QUOTA);
  const full = await hostOf(crawl, host);
  expect(full.urlCount).toBe(QUOTA);
  const counted = async () => (await readCounters(crawl.database.db)).get("refused.host full");
  await until(counted, { timeoutMs: 20_000 });
  await until(async () => (await findSitemap(crawl, at("/map.xml")))?.etag);
  // Without room it is not asked again and again.
  expect(asked).toBe(1);

  await setHostQuota(crawl.operate, full.id, { urlsMax: 20, bytesMax: null }, "tester");
  await pagesAre(host, 20);
  await setHostQuota(crawl.operate, full.id, { urlsMax: 1_000, bytesMax: null }, "tester");
  await pagesAre(host, PAGES + 1);
  expect(await crawl.database.sql`select from refused_sitemaps`).toHaveLength(0);
  const { accepted, present, removed } = await conservation(crawl.database.db);
  expect(accepted).toBe(present + removed);
});

test("a feed, too", async () => {
  const host = "127.0.32.2";
  const links = Array.from({ length: PAGES }, (_, n) => `/f${n}`);
  origin.host(host, {
    "/robots.txt": named(host, "/feed"),
    "/": front(host),
    "/feed": () => rss(...links.map((path) => origin.url(host, path))),
    ...Object.fromEntries(links.map((path) => [path, `of ${path}`])),
  });
  await seeded(host);
  await pagesAre(host, QUOTA);
  const { id } = await hostOf(crawl, host);
  await until(async () => (await crawl.database.sql`select from refused_sitemaps`).length === 1);
  await setHostQuota(crawl.operate, id, { urlsMax: 1_000, bytesMax: null }, "tester");
  await pagesAre(host, PAGES + 1);
});
