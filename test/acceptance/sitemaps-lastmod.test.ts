import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { page, robots, startOrigin } from "../support/origin.ts";
import { findSitemap, makeSitemapDue, urlset } from "../support/sitemaps.ts";
import { crawlDue, forgetRobots, letPass } from "../support/time-lapse.ts";

const DAY_MS = 86_400_000;
const PAGES = 8;
const HONEST = "127.0.33.3";

const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({}, { schedules: false, works: false });
  crawl.crew.turns.random = () => 0.5;
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

const paths = Array.from({ length: PAGES }, (_, n) => `/p${n}`);

/** A host whose sitemap dates its pages as `lastmod` says; gives how often a page was asked. */
async function siteOf(host: string, lastmod: (path: string) => Date, text = new Map()) {
  const at = (path: string) => origin.url(host, path);
  origin.host(host, {
    "/robots.txt": () => robots(`Sitemap: ${at("/map.xml")}`),
    "/map.xml": () =>
      urlset(...paths.map((path) => ({ loc: at(path), lastmod: lastmod(path).toISOString() }))),
    ...Object.fromEntries(paths.map((path) => [path, () => page(`${path} ${text.get(path)}`)])),
  });
  await crawl.seed(at("/p0"));
  await crawlDue(crawl);
  return {
    map: () => findSitemap(crawl, at("/map.xml")),
    asked: () => paths.map((path) => origin.asked(host, path).length),
  };
}

/** When pages of the honest site changed: time passes for these, too. */
const dates = new Map<string, number>();

async function days(count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    for (const [path, at] of dates) dates.set(path, at - DAY_MS * 1.11);
    await letPass(crawl.database.sql, DAY_MS * 1.11);
    forgetRobots(crawl);
    await crawlDue(crawl);
  }
}

test.each([
  ["now", 0, "127.0.33.1"],
  ["an hour ago", 3_600_000, "127.0.33.2"],
])("a sitemap that dates every page %s soon makes nothing due", async (_, ago, host) => {
  const site = await siteOf(host, () => new Date(Date.now() - ago));
  await days(3);
  const early = site.asked();
  await days(12);
  // 1, 1.5, 2.25, 3.4, 5, 7.6 days: so many visits are due without a word of the sitemap.
  const late = site.asked().map((count, at) => count - early[at]!);
  expect(Math.max(...late)).toBeLessThanOrEqual(4);
  expect(Math.max(...site.asked())).toBeLessThanOrEqual(8);
  expect(Math.min(...site.asked())).toBeGreaterThanOrEqual(4);
});

test("an honest one makes due what has changed, whenever that is", async () => {
  const text = new Map<string, string>();
  const old = Date.now() - 90 * DAY_MS;
  const site = await siteOf(HONEST, (path) => new Date(dates.get(path) ?? old), text);
  await days(12);
  expect(Math.max(...site.asked())).toBeLessThanOrEqual(6);
  for (const path of paths) {
    const before = site.asked();
    text.set(path, "anew");
    // While the day goes by.
    dates.set(path, Date.now() + DAY_MS);
    // It has not changed for long, and would be asked for later.
    await makeSitemapDue(crawl, origin.url(HONEST, "/map.xml"));
    await days(1);
    const at = paths.indexOf(path);
    expect([path, site.asked()[at]! - before[at]!]).toEqual([path, 1]);
  }
  await days(1);
  expect((await site.map())?.lastmodWrong).toBe(0);
  expect((await site.map())?.lastmodRight).toBeGreaterThan(4);
});
