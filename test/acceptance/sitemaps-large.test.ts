import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { page, robots, startOrigin } from "../support/origin.ts";
import { hostOf } from "../support/rows.ts";
import { findSitemap } from "../support/sitemaps.ts";
import { until } from "../support/until.ts";

const HOST = "127.0.32.1";
const URLS = 50_000;
const MB = 1024 * 1024;
/** So that all of them are 48 MB. */
const LENGTH = 900;

const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(120_000);
beforeAll(async () => {
  crawl = await startCrawl({ CRAWL_DELAY_MS: "5000", HOST_MAX_URLS: "100000" });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

/** Made while it is sent, so that it takes no memory here either. */
function large(): Response {
  const head = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`;
  const encoder = new TextEncoder();
  let n = 0;
  const pull = (body: ReadableStreamDefaultController<Uint8Array>) => {
    let text = n === 0 ? head : "";
    for (const end = Math.min(URLS, n + 100); n < end; n++) {
      const loc = origin.url(HOST, `/${n}/${"x".repeat(LENGTH)}`);
      text += `<url><loc>${loc}</loc><lastmod>2026-01-01</lastmod></url>\n`;
    }
    if (n === URLS) text += "</urlset>";
    body.enqueue(encoder.encode(text));
    if (n === URLS) body.close();
  };
  return new Response(new ReadableStream({ pull }), {
    headers: { "content-type": "application/xml" },
  });
}

test("a sitemap of 50,000 URLs and 48 MB is taken in whole, in little memory", async () => {
  origin.host(HOST, {
    "/robots.txt": () => robots(`Sitemap: ${origin.url(HOST, "/large.xml")}`),
    "/": () => page("front"),
    "/large.xml": large,
  });
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  let worstMs = 0;
  let lookedAt = performance.now();
  const loop = setInterval(() => {
    worstMs = Math.max(worstMs, Math.round(performance.now() - lookedAt - 5));
    lookedAt = performance.now();
  }, 5);
  const began = performance.now();
  await crawl.seed(origin.url(HOST));
  const url = origin.url(HOST, "/large.xml");
  const row = await until(
    async () => {
      const found = await findSitemap(crawl, url);
      return found?.fetchedAt ? found : null;
    },
    { timeoutMs: 90_000, what: "all of it" },
  );
  clearInterval(watch);
  clearInterval(loop);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const grewMb = Math.round((most - before) / MB);
  console.info(`${URLS} URLs in ${seconds} s, ${grewMb} MB more, loop at most ${worstMs} ms late`);
  expect(row).toMatchObject({ entries: URLS, admitted: URLS, reason: null });
  expect((await hostOf(crawl, HOST)).urlCount).toBe(URLS + 1);
  expect(grewMb).toBeLessThan(200);
});
