import { describe, expect, test } from "bun:test";
import { parseHtml } from "../support/parse.ts";

describe("links", () => {
  const urls = async (html: string): Promise<string[]> =>
    (await parseHtml(html)).links.map((link) => link.url);
  const cases: [string, string[], string][] = [
    ["<a href=../x>", ["https://site.example/x"], "relative"],
    ["<a href='?a=1&amp;b=2'>", ["https://site.example/dir/page.html?a=1&b=2"], "entities"],
    ["<a href='\n /a\tb '>", ["https://site.example/ab"], "white space in it"],
    [
      "<a href=/x#a><a href=/x#b><a href='/x?utm_source=y'>",
      ["https://site.example/x"],
      "distinct",
    ],
    ["<a href=#top><a href=page.html><a href>", [], "to itself"],
    [
      "<a href=javascript:x><a href=mailto:a@b.c><a href=tel:1><a href=ftp://a/>",
      [],
      "unfetchable",
    ],
    ["<a href='https://user:pw@h.example/'><a href='http://[bad'>", [], "refused"],
    ["<base href=/other/><a href=x>", ["https://site.example/other/x"], "base"],
    ["<base href=javascript:1><a href=x>", ["https://site.example/dir/x"], "an unusable base"],
    ["<base href=/a/><base href=/b/><a href=x>", ["https://site.example/a/x"], "the first base"],
    [
      "<base href='https://other.example'><a href=x>",
      ["https://other.example/x"],
      "base elsewhere",
    ],
    [
      "<map><area href=/x></map><frameset><frame src=/y></frameset>",
      ["https://site.example/x", "https://site.example/y"],
      "areas and frames",
    ],
    ["<meta http-equiv=refresh content=\"0; URL='/x'\">", ["https://site.example/x"], "refresh"],
    ["<meta http-equiv=refresh content=30>", [], "a page that reloads itself"],
    [
      "<link rel=next href=/2><link rel='alternate' hreflang=fr href=/fr>",
      ["https://site.example/2", "https://site.example/fr"],
      "next page, other language",
    ],
    [
      "<link rel=stylesheet href=/x.css><link rel=alternate type=application/rss+xml href=/rss>",
      [],
      "not every link element",
    ],
    [
      "<noscript><a href=/x>x</a></noscript><nav hidden><a href=/y>",
      ["https://site.example/x", "https://site.example/y"],
      "hidden menus lead somewhere",
    ],
    [
      "<template><a href=/x></template><svg><a href=/y></svg><script>'<a href=/z>'</script>",
      [],
      "what is no element",
    ],
    ["<A HREF=/x>", ["https://site.example/x"], "any case"],
    ["<a href=/x href=/y>", ["https://site.example/x"], "the first attribute of a name"],
  ];
  for (const [html, expected, why] of cases) {
    test(why, async () => expect(await urls(html)).toEqual(expected));
  }

  test("rel: nofollow only when every link says so", async () => {
    const nofollow = async (html: string) =>
      (await parseHtml(html)).links.map((link) => link.nofollow);
    expect(await nofollow('<a href=/x rel="nofollow noopener">')).toEqual([true]);
    expect(await nofollow("<a href=/x rel=UGC><a href=/y rel=sponsored>")).toEqual([true, true]);
    expect(await nofollow("<a href=/x rel=noopener><a href=/y rel=nofollower>")).toEqual([
      false,
      false,
    ]);
    expect(await nofollow("<a href=/x rel=nofollow><a href=/x>")).toEqual([false]);
    expect(await nofollow("<a href=/x rel=nofollow><a href=/x#y rel=nofollow>")).toEqual([true]);
  });

  test("all are counted, 5,000 kept", async () => {
    const html = Array.from({ length: 100_000 }, (_, at) => `<a href=/p${at}>x</a>`).join("");
    const page = await parseHtml(html);
    expect([page.linkCount, page.links.length]).toEqual([100_000, 5_000]);
  });
});

describe("hosts linked to", () => {
  const cases: [string, string[], string][] = [
    [
      "<a href=/x>x</a><a href=http://site.example/>y</a><a href=//site.example:81/>z</a>",
      [],
      "own",
    ],
    [
      "<a href=https://b.example/>1</a><a href=/x>x</a><a href=https://b.example/2>2</a>",
      ["b.example"],
      "once",
    ],
    ["<a href=https://site.example.org/>x</a>", ["site.example.org"], "a longer name"],
    ["<a href=https://b.example:8443/>x</a>", ["b.example"], "without the port"],
    ["<a rel=nofollow href=https://b.example/>x</a>", [], "not by nofollow"],
    [
      "<a rel=nofollow href=https://b.example/>x</a><a href=https://b.example/2>y</a>",
      ["b.example"],
      "not by nofollow alone",
    ],
    ["<a href=mailto:a@b.example>x</a><a href=ftp://b.example/>y</a>", [], "by no other scheme"],
  ];
  for (const [html, hosts, why] of cases) {
    test(why, async () => expect((await parseHtml(html)).linkedHosts).toEqual(hosts));
  }

  test("are 200 at most", async () => {
    const html = Array.from({ length: 300 }, (_, at) => `<a href=http://h${at}.test>x</a>`).join(
      "",
    );
    expect((await parseHtml(html)).linkedHosts).toHaveLength(200);
  });
});

describe("canonical", () => {
  const cases: [string, string | null, string | null, string][] = [
    [
      "<link rel=canonical href=other.html>",
      null,
      "https://site.example/dir/other.html",
      "relative",
    ],
    ["<link rel=canonical href=page.html#x>", null, null, "itself"],
    [
      "<link rel='CANONICAL' href=https://other.example/>",
      null,
      "https://other.example/",
      "another host: the crawl decides",
    ],
    ["<link rel=canonical href=/a><link rel=canonical href=/b>", null, null, "more than one"],
    [
      "<link rel=canonical href=/a><link rel=canonical href=/a>",
      null,
      "https://site.example/a",
      "the same twice",
    ],
    ["", "https://site.example/h", "https://site.example/h", "by the header"],
    ["<link rel=canonical href=/a>", "https://site.example/h", null, "header and page differ"],
    ["<link rel=canonical href=''><link rel=canonical href='data:x'>", null, null, "unusable"],
    ["<link rel=canonical>", null, null, "without an address"],
  ];
  for (const [html, linkCanonical, expected, why] of cases) {
    test(why, async () =>
      expect((await parseHtml(html, { linkCanonical })).canonical).toBe(expected),
    );
  }
});
