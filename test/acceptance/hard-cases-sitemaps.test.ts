import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { sitemapsOfHost } from "../../src/db/sitemaps.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { page, robots, startOrigin } from "../support/origin.ts";
import { hostOf, isCrawled } from "../support/rows.ts";
import { lookedAt, sitemapIndex, urlset, xml } from "../support/sitemaps.ts";
import { until } from "../support/until.ts";

const BYTES_MAX = 1_000_000;
const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({
    CRAWL_DELAY_MS: "5",
    CRAWL_IP_DELAY_MS: "0",
    SITEMAP_MAX_BYTES: `${BYTES_MAX}`,
  });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

const site = (host: string, maps: readonly string[], scripts: Parameters<typeof origin.host>[1]) =>
  origin.host(host, {
    "/robots.txt": () => robots(...maps.map((path) => `Sitemap: ${origin.url(host, path)}`)),
    "/": () => page(`front of ${host}`),
    "/good": "good",
    "/good2": "good",
    ...scripts,
  });

describe("25: sitemaps that lead nowhere", () => {
  test("an index that lists itself, and one that lists its own index", async () => {
    const host = "127.0.31.1";
    const at = (path: string) => origin.url(host, path);
    site(host, ["/self.xml"], {
      "/self.xml": () => sitemapIndex(at("/self.xml"), at("/other.xml"), at("/good.xml")),
      "/other.xml": () => sitemapIndex(at("/self.xml"), at("/other.xml")),
      "/good.xml": () => urlset(at("/good")),
    });
    await crawl.seed(at("/"));
    await until(() => isCrawled(crawl, at("/good")));
    await lookedAt(crawl, at("/other.xml"));
    for (const path of ["/self.xml", "/other.xml", "/good.xml"]) {
      expect(origin.asked(host, path)).toHaveLength(1);
    }
  });

  test("robots.txt that names itself", async () => {
    const host = "127.0.31.2";
    const at = (path: string) => origin.url(host, path);
    site(host, ["/robots.txt", "/good.xml"], { "/good.xml": () => urlset(at("/good")) });
    await crawl.seed(at("/"));
    await until(() => isCrawled(crawl, at("/good")));
    expect((await lookedAt(crawl, at("/robots.txt"))).reason).toBe("not a sitemap");
    expect(origin.asked(host, "/robots.txt")).toHaveLength(2);
  });

  test("a chain of 1,000 indexes, each with a good sitemap beside", async () => {
    const host = "127.0.31.3";
    const at = (path: string) => origin.url(host, path);
    const chain = Array.from({ length: 1_000 }, (_, n) => [
      `/i${n}.xml`,
      () => sitemapIndex(at(`/i${n + 1}.xml`), at("/good.xml")),
    ]);
    site(host, ["/i0.xml"], {
      ...Object.fromEntries(chain),
      "/good.xml": () => urlset(at("/good")),
    });
    await crawl.seed(at("/"));
    await until(() => isCrawled(crawl, at("/good")));
    expect((await lookedAt(crawl, at("/i10.xml"))).reason).toBe(
      "2 of its sitemaps: nested too deep",
    );
    expect(origin.asked(host).filter(({ path }) => path.startsWith("/i"))).toHaveLength(11);
  });

  test("an index of 17,000 children: a host keeps so many, the reason is told", async () => {
    const host = "127.0.31.4";
    const at = (path: string) => origin.url(host, path);
    const children = Array.from({ length: 20_000 }, (_, n) => at(`/c${n}.xml`));
    site(host, ["/many.xml", "/good.xml"], {
      "/many.xml": () => sitemapIndex(...children),
      "/good.xml": () => urlset(at("/good")),
    });
    await crawl.seed(at("/"));
    await until(() => isCrawled(crawl, at("/good")));
    const row = await lookedAt(crawl, at("/many.xml"));
    expect(row.reason).toMatch(/of its sitemaps: more than are kept of a host$/);
    const { id } = await hostOf(crawl, host);
    expect(await sitemapsOfHost(crawl.database.db, id, 20_000)).toHaveLength(5_000);
    await crawl.database.sql`update hosts set state = 'paused' where id = ${id}`;
  });
});

describe("25: sitemaps that are bombs", () => {
  const host = "127.0.31.5";
  const at = (path: string) => origin.url(host, path);
  const entry = (path: string) => `<url><loc>${at(path)}</loc></url>`;
  const packed = (text: string) => xml(Uint8Array.from(gzipSync(text)), "application/gzip");
  const levels = Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
  ).join("");
  const file = `<!ENTITY f SYSTEM "file:///etc/passwd">`;
  const dtd = `<!DOCTYPE urlset [<!ENTITY l0 "lol">${levels}${file}]>`;

  beforeAll(async () => {
    const bomb = `<urlset>${entry("/good")}${" ".repeat(50_000_000)}`;
    site(host, ["/bomb.xml.gz", "/coded.xml", "/lol.xml", "/large.xml", "/cut.xml.gz"], {
      "/bomb.xml.gz": () => packed(bomb),
      "/coded.xml": () => {
        const response = packed(bomb);
        response.headers.set("content-encoding", "gzip");
        return response;
      },
      "/lol.xml": () =>
        xml(`${dtd}<urlset><url><loc>${at("/&l9;")}</loc></url><url><loc>${at("/&f;")}</loc></url>
          ${entry("/good2")}</urlset>`),
      "/large.xml": () =>
        xml(`<urlset>${Array.from({ length: 40_000 }, () => entry("/good")).join("")}</urlset>`),
      "/cut.xml.gz": () => {
        const whole = gzipSync(`<urlset>${entry("/good")}${"x".repeat(200_000)}</urlset>`);
        return xml(Uint8Array.from(whole.subarray(0, -20)), "application/gzip");
      },
    });
    await crawl.seed(at("/"));
  });

  test.each([
    ["/bomb.xml.gz", /^larger than what is read/],
    ["/coded.xml", /^(?:it ends before its end|larger)/],
    ["/lol.xml", null],
    ["/large.xml", /^(?:it ends before its end|larger)/],
    ["/cut.xml.gz", /^its gzip is truncated/],
  ])("%s is read as far as it is good, the reason is told", async (path, reason) => {
    const row = await lookedAt(crawl, at(path));
    if (reason === null) expect(row.reason).toBeNull();
    else expect(row.reason).toMatch(reason);
    expect(row.entries).toBeGreaterThanOrEqual(1);
    expect(row.failures).toBe(0);
    const good = path === "/lol.xml" ? "/good2" : "/good";
    await until(() => isCrawled(crawl, at(good)), { what: good });
    const odd = origin.asked(host).filter(({ path: asked }) => /lol.*lol|&|root/.test(asked));
    expect(odd).toEqual([]);
  });
});
