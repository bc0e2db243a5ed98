import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { seedUrls } from "../../src/crawl/submit.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { startOrigin } from "../support/origin.ts";
import { hostOf, isCrawled, urlOf } from "../support/rows.ts";
import { findSitemap, lookedAt, rss, urlset } from "../support/sitemaps.ts";
import { until } from "../support/until.ts";

const HOST = "127.0.31.1";
const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl();
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

test("feeds and sitemaps that a person names are asked for, their host is in scope", async () => {
  const at = (path: string) => origin.url(HOST, path);
  origin.host(HOST, {
    "/feed": () => rss(at("/1")),
    "/map.xml": () => urlset(at("/2")),
    "/1": "one",
    "/2": "two",
  });
  const deps = { ...crawl.operate, policy: crawl.crew.turns.policy };
  const items = [
    { kind: "feed", url: at("/feed") },
    { kind: "sitemap", url: at("/map.xml") },
    { kind: "feed", url: "nonsense" },
  ] as const;
  expect(await seedUrls(deps, items)).toEqual({
    admitted: 2,
    known: 0,
    refused: [{ url: "nonsense", reason: "invalid" }],
  });
  for (const path of ["/1", "/2"]) {
    await until(() => isCrawled(crawl, at(path)), { timeoutMs: 30_000, what: path });
  }
  expect((await urlOf(crawl, at("/1"))).via).toBe("feed");
  expect((await hostOf(crawl, HOST)).seededAt).not.toBeNull();
  // It is polled from now on, and asked at once when it is named again.
  const { fetchedAt } = await lookedAt(crawl, at("/feed"));
  const next = (await findSitemap(crawl, at("/feed")))?.nextFetchAt?.getTime();
  expect(next).toBeGreaterThan(Date.now() + 60_000);
  expect(await seedUrls(deps, [items[0]])).toMatchObject({ admitted: 0, known: 1 });
  await lookedAt(crawl, at("/feed"), fetchedAt!);
});
