import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseFeed } from "../../src/parse/feed.ts";
import { suite } from "../support/suites.ts";

const URL_OF = "https://example.com/feed";
const urls = (text: string) => parseFeed(text, URL_OF)?.map((entry) => entry.url) ?? null;

describe("a feed", () => {
  test.each([
    [
      "RSS 2.0",
      `<rss version="2.0"><channel><link>/</link><item><link> https://example.com/a </link></item>
       <item><guid>https://example.com/b</guid></item>
       <item><guid isPermaLink="false">https://example.com/no</guid></item></channel></rss>`,
      ["https://example.com/a", "https://example.com/b", null],
    ],
    [
      "RSS 1.0",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/"><channel rdf:about="https://example.com/"/>
       <item rdf:about="https://example.com/a"><link>https://example.com/a</link></item></rdf:RDF>`,
      ["https://example.com/a"],
    ],
    [
      "Atom",
      `<feed xmlns="http://www.w3.org/2005/Atom">
        <entry><link rel="self" href="https://example.com/self"/><link href="/a"/></entry>
        <entry><link rel="alternate" href="https://example.com/b"/></entry></feed>`,
      ["https://example.com/a", "https://example.com/b"],
    ],
    [
      "JSON Feed",
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "t",
        items: [
          { id: "1", url: "https://example.com/a" },
          { id: "2", external_url: "/b" },
        ],
      }),
      ["https://example.com/a", "https://example.com/b"],
    ],
    [
      "CDATA and entities",
      `<rss><channel><item><link><![CDATA[https://example.com/?a=1&b=2]]></link></item>
       <item><link>https://example.com/?a=1&amp;b=2</link></item></channel></rss>`,
      ["https://example.com/?a=1&b=2", "https://example.com/?a=1&b=2"],
    ],
    [
      "with characters that XML does not have, behind blanks and a mark",
      `\n \ufeff<?xml version="1.0"?><rss><channel><item><title>a\x0bb</title>
       <link>https://example.com/a</link></item></channel></rss>`,
      ["https://example.com/a"],
    ],
  ])("of the kind %s", (_, text, expected) => expect(urls(text)).toEqual(expected));

  test.each([
    ["a page", "<!doctype html><html><body>no</body></html>"],
    ["nothing", ""],
    ["other JSON", '{"items":[]}'],
    ["a sitemap", "<urlset><url><loc>https://example.com/</loc></url></urlset>"],
  ])("is not what %s is", (_, text) => expect(parseFeed(text, URL_OF)).toBeNull());

  test("expands no entity that it defines itself", () => {
    const levels = Array.from(
      { length: 9 },
      (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
    );
    const bomb = `<!DOCTYPE rss [<!ENTITY l0 "lol">${levels.join("")}
      <!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    const began = performance.now();
    const entries = parseFeed(
      `${bomb}<rss><channel><item><title>&l9;&f;</title><link>https://example.com/a</link></item>
       </channel></rss>`,
      URL_OF,
    );
    expect(performance.now() - began).toBeLessThan(500);
    expect(entries?.[0]?.url).toBe("https://example.com/a");
    expect(entries?.[0]?.title ?? "").not.toContain("root:");
    expect(JSON.stringify(entries).length).toBeLessThan(1_000);
  });

  test("of 5 MB is read within the budget of a page", () => {
    const item = (n: number) =>
      `<item><title>t${n}</title><link>https://example.com/${n}</link>
       <description>${"lorem &lt;b&gt; ipsum ".repeat(25)}</description></item>`;
    const text = `<rss><channel>${Array.from({ length: 8_000 }, (_, n) => item(n)).join("")}
      </channel></rss>`;
    const began = performance.now();
    expect(parseFeed(text, URL_OF)).toHaveLength(5_000);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

/** Of several links of an item that library takes the last. */
const LAST_LINK = /(?:rss_channel_item_links|rdf_item_links)\.xml$/;
const archive = suite("feeds/gofeed-testdata.tar.xz");

test.skipIf(archive === null)("links of the feeds of another library's tests", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-feeds-"));
  try {
    const tar = Bun.spawn(["tar", "xJf", archive!, "-C", folder], { stderr: "inherit" });
    expect(await tar.exited).toBe(0);
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (path) => /parser\/(?:atom|rss)\/.*\.xml$/.test(path) && !LAST_LINK.test(path),
    );
    let [same, all] = [0, 0];
    const wrong: string[] = [];
    for (const path of paths) {
      const expected = itemLinks(readFileSync(join(folder, path.replace(/xml$/, "json")), "utf8"));
      if (expected.length === 0) continue;
      all++;
      const feed = readFileSync(join(folder, path), "utf8");
      const found = parseFeed(feed, URL_OF)?.map((entry) => entry.url);
      if (expected.every((link) => found?.includes(link))) same++;
      else wrong.push(`${path}: ${JSON.stringify(found)} for ${JSON.stringify(expected)}`);
    }
    console.log(`feeds with links: ${same} of ${all}`);
    expect(all).toBeGreaterThan(8);
    expect(wrong.slice(0, 20)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

interface ExpectedFeed {
  items?: { link?: string; links?: unknown[] }[];
  entries?: { links?: { href?: string; rel?: string }[] }[];
}

function itemLinks(json: string): string[] {
  let feed: ExpectedFeed;
  try {
    feed = JSON.parse(json) as ExpectedFeed;
  } catch {
    return [];
  }
  const rss = (feed.items ?? []).flatMap((item) => item.link ?? []);
  const atom = (feed.entries ?? []).flatMap(
    ({ links }) => links?.find((link) => link.rel === "alternate")?.href ?? [],
  );
  return [...rss, ...atom].map((link) => new URL(link).href);
}
