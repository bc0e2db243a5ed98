import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { testDatabaseUrl } from "../support/database.ts";
import { jsonOf, openShell, type Shell } from "../support/shell.ts";

setDefaultTimeout(60_000);

let shell: Shell;
beforeAll(async () => {
  shell = openShell({ DATABASE_URL: await testDatabaseUrl() });
});
afterAll(() => shell.remove());

const urlset = (...locs: string[]) =>
  `<urlset>\n${locs.map((loc) => `<url><loc>${loc}</loc></url>\n`).join("")}</urlset>\n`;
const rss = (link: string) =>
  `<rss version="2.0"><channel><item><link>${link}</link></item></channel></rss>`;
const opml = (...feeds: string[]) =>
  `<opml version="2.0"><body><outline text="all">${feeds
    .map((feed) => `<outline type="rss" text="f" xmlUrl="${feed}"/>`)
    .join("")}</outline></body></opml>`;
const utf16 = (text: string) => Buffer.from(text, "utf16le");

describe("what names URLs in XML", () => {
  const FILES: [name: string, content: string | Buffer, counts: string][] = [
    [
      "site.xml",
      urlset("http://x1.example/a", " http://x1.example/b\n", "http://x1.example/?a=1&amp;b=2"),
      "admitted 3, known 0, refused 0",
    ],
    ["packed.xml.gz", gzipSync(urlset("http://x2.example/")), "admitted 1, known 0, refused 0"],
    ["list.txt.gz", gzipSync("http://x3.example/\n"), "admitted 1, known 0, refused 0"],
    ["wide.xml", utf16(urlset("http://x4.example/é")), "admitted 1, known 0, refused 0"],
    [
      "declared.xml",
      Buffer.from(
        `<?xml version="1.0" encoding="ISO-8859-1"?>${urlset("http://x5.example/é")}`,
        "latin1",
      ),
      "admitted 1, known 0, refused 0",
    ],
    ["rss.xml", rss("http://x6.example/1"), "admitted 1, known 0, refused 0"],
    [
      "atom.xml",
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry>
        <link href="http://x7.example/"/></entry></feed>`,
      "admitted 1, known 0, refused 0",
    ],
    [
      "feeds.opml",
      opml("http://x8.example/feed", "http://x9.example/rss?a=1&amp;b=2", "http://x8.example/feed"),
      "admitted 2, known 1, refused 0",
    ],
    [
      "index.xml",
      "<sitemapindex><sitemap><loc>http://xa.example/1.xml</loc></sitemap></sitemapindex>",
      "admitted 1, known 0, refused 0",
    ],
    [
      "mixed.xml",
      urlset("http://xb.example/", "file:///etc/passwd", "http://10.0.0.1/"),
      "admitted 1, known 0, refused 2",
    ],
    ["private.opml", opml("http://127.0.0.1/feed"), "admitted 0, known 0, refused 1"],
  ];

  test.each(FILES)("%s", async (name, content, counts) => {
    writeFileSync(shell.path(name), content);
    const { code, out, err } = await shell.run("seed", name);
    expect([out.split("\n")[0], err]).toEqual([counts, ""]);
    expect(code).toBe(counts.startsWith("admitted 0") ? 1 : 0);
  });

  test("the address is read in its charset", async () => {
    const known = await shell.run("seed", "http://x4.example/%C3%A9", "http://x5.example/%C3%A9");
    expect(known.out.split("\n")[0]).toBe("admitted 0, known 2, refused 0");
  });

  test("a sitemap of 60,000 URLs is read while it comes, and known again", async () => {
    const urls = Array.from({ length: 60_000 }, (_, at) => `http://big.example/page/${at}`);
    writeFileSync(shell.path("big.xml.gz"), gzipSync(urlset(...urls)));
    const first = await shell.run("seed", "big.xml.gz", "--json");
    // HOST_MAX_URLS is told of the rest.
    expect(jsonOf<{ admitted: number }>(first).admitted).toBe(50_000);
  });
});

describe("what is wrong is told with its place", () => {
  const cut = `<urlset>\n<url><loc>http://y1.example/1</loc></url>\n<url><loc>http://y1.exa`;
  const latin = Buffer.from(
    `<urlset>\n<url><loc>http://y2.example/é</loc></url></urlset>`,
    "latin1",
  );
  const packed = gzipSync(urlset("http://y3.example/"));
  const FILES: [name: string, content: string | Buffer, code: number, told: RegExp][] = [
    ["cut.xml", cut, 0, /^cut\.xml ends at line 3 \(byte \d+\) without <\/urlset>/],
    ["latin.xml", latin, 1, /^latin\.xml has bytes behind line 1 .* not utf-8.*encoding="/],
    ["cut.xml.gz", packed.subarray(0, 40), 1, /^cut\.xml\.gz is damaged: its gzip/],
    [
      "page.html",
      "<!doctype html>\n<html><body></body></html>",
      1,
      /^page\.html: <html> at line 2 is no root of a sitemap/,
    ],
    ["rest.opml", "<opml><body>", 1, /^rest\.opml: its <opml> cannot be read/],
    ["comment.xml", "<!-- nothing -->", 1, /^comment\.xml has no element/],
    ["empty.xml", "<urlset></urlset>", 1, /^empty\.xml: no URL in it$/m],
    [
      "half.rss",
      "<rss><channel><item><link>http://y4.example/</link></item>",
      0,
      /^half\.rss ends at line 1 \(byte 58\) without <\/rss>/,
    ],
  ];

  test.each(FILES)("%s", async (name, content, code, told) => {
    writeFileSync(shell.path(name), content);
    const ran = await shell.run("seed", name);
    expect(ran.err).toMatch(told);
    expect(ran.code).toBe(code);
    expect(ran.err.trimEnd().split("\n")).toHaveLength(1);
  });

  test("a feed larger than a feed may be", async () => {
    writeFileSync(shell.path("huge.opml"), opml(...Array(200_000).fill("http://z.example/feed")));
    const { code, err } = await shell.run("seed", "huge.opml");
    expect([code, err]).toEqual([1, expect.stringContaining("huge.opml is larger than FETCH_MAX")]);
  });
});
