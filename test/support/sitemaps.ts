import { expect } from "bun:test";
import { eq } from "drizzle-orm";
import { sitemaps } from "../../src/db/schema/sitemaps.ts";
import type { SitemapRow } from "../../src/db/sitemaps.ts";
import type { TestCrawl } from "./crawl.ts";
import { type Origin, page, robots } from "./origin.ts";
import { until } from "./until.ts";

export interface SitemapUrl {
  loc: string;
  lastmod?: string;
  priority?: number;
}

export function urlset(...urls: (string | SitemapUrl)[]): Response {
  const entries = urls.map((url) => {
    const { loc, lastmod, priority } = typeof url === "string" ? { loc: url } : url;
    const said = lastmod === undefined ? "" : `<lastmod>${lastmod}</lastmod>`;
    const rank = priority === undefined ? "" : `<priority>${priority}</priority>`;
    return `<url><loc>${loc}</loc>${said}${rank}</url>`;
  });
  return xml(`<urlset xmlns="${NAMESPACE}">${entries.join("")}</urlset>`);
}

export function sitemapIndex(...children: string[]): Response {
  const entries = children.map((child) => `<sitemap><loc>${child}</loc></sitemap>`);
  return xml(`<sitemapindex xmlns="${NAMESPACE}">${entries.join("")}</sitemapindex>`);
}

export function rss(...links: string[]): Response {
  const items = links.map((link) => `<item><title>${link}</title><link>${link}</link></item>`);
  const text = `<rss version="2.0"><channel><title>t</title>${items.join("")}</channel></rss>`;
  return new Response(text, { headers: { "content-type": "application/rss+xml" } });
}

export function xml(text: string | Uint8Array<ArrayBuffer>, type = "application/xml"): Response {
  return new Response(text, { headers: { "content-type": type } });
}

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export async function findSitemap(crawl: TestCrawl, url: string): Promise<SitemapRow | null> {
  const [row] = await crawl.database.db.select().from(sitemaps).where(eq(sitemaps.url, url));
  return row ?? null;
}

/** The row of a sitemap, once it was looked at. */
export async function lookedAt(
  crawl: TestCrawl,
  url: string,
  since = new Date(0),
): Promise<SitemapRow> {
  const isOver = async () => {
    const row = await findSitemap(crawl, url);
    const isRead = row?.fetchedAt && row.fetchedAt > since;
    const hasFailed = row && row.failures > 0 && row.reason !== "it was never read to its end";
    return row && (isRead || hasFailed || row.reason?.startsWith("redirected")) ? row : null;
  };
  return await until(isOver, { timeoutMs: 40_000, what: `a look at ${url}` });
}

/** As if its time had come. */
export async function makeSitemapDue(crawl: TestCrawl, url: string): Promise<void> {
  const { sql } = crawl.database;
  const [row] = await sql`update sitemaps set next_fetch_at = now() where url = ${url}
    returning host_id`;
  await sql`update hosts set next_turn_at = now() where id = ${row!.host_id}`;
}

/** What the sites of a test answer, and how they come into the crawl. */
export const sitesWithMaps = (origin: Origin, crawl: () => TestCrawl) => ({
  front: (host: string) => () => page(`front of ${host}`),
  /** A robots.txt that names sitemaps. */
  named:
    (host: string, ...paths: string[]) =>
    () =>
      robots(...paths.map((path) => `Sitemap: ${origin.url(host, path)}`)),
  seeded: async (host: string) => {
    expect(await crawl().seed(origin.url(host))).toMatchObject({ admitted: 1 });
  },
});
