import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { ownWords } from "../support/mazes.ts";
import { page, redirect, robots, startOrigin, status } from "../support/origin.ts";
import { hostOf, isCrawled, urlOf } from "../support/rows.ts";
import {
  findSitemap,
  lookedAt,
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

describe("what turns out to be no page", () => {
  const HOST = "127.0.30.3";
  const at = (path: string) => origin.url(HOST, path);

  test("is read for its URLs", async () => {
    origin.host(HOST, {
      "/": () => page("front", "/feed.json", "/map"),
      "/map": () => urlset(at("/one")),
      "/feed.json": () =>
        xml(
          JSON.stringify({
            version: "https://jsonfeed.org/version/1.1",
            items: [{ id: "1", url: at("/two") }],
          }),
          "application/feed+json",
        ),
      "/packed.xml.gz": () =>
        xml(
          Uint8Array.from(gzipSync(`<urlset><url><loc>${at("/three")}</loc></url></urlset>`)),
          "application/gzip",
        ),
      "/one": "one",
      "/two": "two",
      "/three": "three",
    });
    await crawl.seed(at("/"), at("/packed.xml.gz"));
    for (const path of ["/one", "/two", "/three"]) await until(() => isCrawled(crawl, at(path)));
    for (const [path, kind, from] of [
      ["/map", "sitemap", "link"],
      ["/feed.json", "feed", "link"],
      ["/packed.xml.gz", "sitemap", "seed"],
    ] as const) {
      expect(await urlOf(crawl, at(path))).toMatchObject({ state: "done", reason: "not a page" });
      expect(await findSitemap(crawl, at(path))).toMatchObject({ kind, origin: from });
    }
  });
});

describe("a sitemap that redirects", () => {
  const HOST = "127.0.30.4";
  const at = (path: string) => origin.url(HOST, path);

  test("is followed for five hops, and round a circle once", async () => {
    const hop = (n: number) => [`/r${n}`, () => redirect(`/r${n + 1}`)] as const;
    origin.host(HOST, {
      "/robots.txt": named(HOST, "/r1", "/s1", "/c1", "/out"),
      "/": front(HOST),
      ...Object.fromEntries([1, 2, 3, 4, 5].map(hop)),
      "/r6": () => urlset(at("/far")),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((n) => [`/s${n}`, () => redirect(`/s${n + 1}`)] as const),
      ),
      "/s7": () => urlset(at("/too-far")),
      "/c1": () => redirect("/c2"),
      "/c2": () => redirect("/c1"),
      "/out": () => redirect("http://other.example/map.xml"),
      "/far": "far",
    });
    await seeded(HOST);
    await until(() => isCrawled(crawl, at("/far")), { timeoutMs: 30_000 });
    expect((await lookedAt(crawl, at("/s6"))).reason).toBe("too many redirects");
    expect(origin.asked(HOST, "/s7")).toEqual([]);
    expect((await lookedAt(crawl, at("/c2"))).reason).toBe(`redirected to ${at("/c1")}`);
    expect(origin.asked(HOST, "/c1")).toHaveLength(1);
    const out = await lookedAt(crawl, at("/out"));
    expect(out.reason).toBe("redirected to http://other.example/map.xml: scope");
  });
});

describe("an index", () => {
  const HOST = "127.0.30.9";
  const at = (path: string) => origin.url(HOST, path);

  test("makes a hundred other hosts known, not as many as it names", async () => {
    const other = (n: number) => `http://${n}.sub.${HOST.replaceAll(".", "-")}.test/map.xml`;
    const many = Array.from({ length: 300 }, (_, n) => other(n));
    origin.host(HOST, {
      "/robots.txt": named(HOST, "/index.xml"),
      "/": front(HOST),
      "/index.xml": () => sitemapIndex(...many, at("/own.xml")),
      "/own.xml": () => urlset(at("/one")),
      "/one": "one",
    });
    // So that they are in scope.
    await crawl.seed("http://127-0-30-9.test/");
    await seeded(HOST);
    await until(() => isCrawled(crawl, at("/one")), { timeoutMs: 30_000 });
    expect((await lookedAt(crawl, at("/index.xml"))).reason).toMatch(/more than 100 other hosts$/);
    const [row] = await crawl.database.sql`select count(*)::integer as n from sitemaps
      where url like 'http://%.sub.%'`;
    expect(row!.n).toBe(100);
  });
});

describe("sitemaps that come slowly", () => {
  const HOST = "127.0.30.10";
  const SLOW = Array.from({ length: 8 }, (_, n) => `127.0.31.${n + 1}`);
  const PAGES = Array.from({ length: 30 }, (_, n) => `/p${n}`);

  /** Just not too slow to be waited for. */
  function drip(): Response {
    let timer: ReturnType<typeof setInterval>;
    const blanks = new TextEncoder().encode(" ".repeat(200));
    const body = new ReadableStream({
      start(stream) {
        timer = setInterval(() => stream.enqueue(blanks), 200);
      },
      cancel: () => clearInterval(timer),
    });
    return new Response(body, { headers: { "content-type": "application/xml" } });
  }

  test("hold up no pages of others, however many they are", async () => {
    for (const host of SLOW) {
      const front = () => page(`front of ${host}`);
      origin.host(host, { "/robots.txt": named(host, "/slow.xml"), "/": front, "/slow.xml": drip });
      await seeded(host);
    }
    const areAsked = () => SLOW.every((host) => origin.asked(host, "/slow.xml").length > 0);
    await until(areAsked, { what: "all places taken" });
    origin.host(HOST, {
      "/robots.txt": named(HOST, "/map.xml"),
      "/": () => page("front", ...PAGES),
      "/map.xml": () => urlset(origin.url(HOST, "/p0")),
      ...Object.fromEntries(PAGES.map((path, n) => [path, `page ${path} ${ownWords(n, 20)}`])),
    });
    await seeded(HOST);
    for (const path of PAGES) {
      await until(() => isCrawled(crawl, origin.url(HOST, path)), { timeoutMs: 8_000, what: path });
    }
  });
});

describe("errors of a sitemap", () => {
  const HOST = "127.0.30.5";
  const at = (path: string) => origin.url(HOST, path);

  test("back off and are the host's no more than its pages are", async () => {
    origin.host(HOST, {
      "/robots.txt": () =>
        robots(
          "User-agent: *",
          "Disallow: /hidden.xml",
          ...["/hidden.xml", "/bad.xml", "/busy.xml", "/html.xml"].map(
            (path) => `Sitemap: ${at(path)}`,
          ),
        ),
      "/": front(HOST),
      "/bad.xml": () => status(500),
      "/busy.xml": () => status(429),
      "/html.xml": () => page("Not found"),
    });
    await seeded(HOST);
    const rows = [];
    for (const path of ["/hidden.xml", "/bad.xml", "/busy.xml", "/html.xml"]) {
      const row = await lookedAt(crawl, at(path));
      rows.push([row.reason, Math.round((row.nextFetchAt!.getTime() - Date.now()) / 86_400_000)]);
    }
    expect(rows).toEqual([
      ["robots", 7],
      ["http 500", 0],
      ["http 429", 0],
      ["not a sitemap", 7],
    ]);
    expect(origin.asked(HOST, "/hidden.xml")).toEqual([]);
    await until(async () => (await hostOf(crawl, HOST)).state === "parked");
    expect((await hostOf(crawl, HOST)).failures).toBe(0);
  });
});

describe("many sitemaps beside many pages", () => {
  const HOST = "127.0.30.6";
  const at = (path: string) => origin.url(HOST, path);

  test("wait for each other a little, and neither for the end of the other", async () => {
    const maps = Array.from({ length: 40 }, (_, n) => `/m${n}.xml`);
    const pages = Array.from({ length: 160 }, (_, n) => `/p${n}`);
    origin.host(HOST, {
      "/robots.txt": named(HOST, ...maps),
      "/": () => page("front", ...pages),
      ...Object.fromEntries(maps.map((path) => [path, () => urlset(at("/"))])),
      ...Object.fromEntries(pages.map((path, n) => [path, `page ${path} ${ownWords(n, 20)}`])),
    });
    await seeded(HOST);
    await until(() => origin.asked(HOST).length === 201, { timeoutMs: 40_000 });
    const kinds = origin.asked(HOST).map(({ path }) => (path.startsWith("/m") ? "map" : "page"));
    // Behind the first requests, when links and lines are known.
    const middle = kinds.slice(30, 150);
    const share = middle.filter((kind) => kind === "map").length / middle.length;
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.3);
  });
});
