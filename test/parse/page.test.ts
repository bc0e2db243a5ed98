import { describe, expect, test } from "bun:test";
import { parseHtml } from "../support/parse.ts";

const WORDS = "The council met on Tuesday to talk about the new bridge over the river. ";
const LONG = WORDS.repeat(6).trim();

describe("title", () => {
  const cases: [string, string, string][] = [
    ["<title>A &amp; B</title>", "A & B", "entities"],
    ["<title>\n  A\n  B </title>", "A B", "white space"],
    ["<title></title><meta property=og:title content='OG'><h1>H</h1>", "OG", "then og:title"],
    [
      "<title> </title><h1>First <em>heading</em></h1><h1>Second</h1>",
      "First heading",
      "then the first h1",
    ],
    ["<title>First</title><title>Second</title>", "First", "the first one"],
    ["<svg><title>icon</title></svg><title>Page</title>", "Page", "not of a drawing"],
    ["<title>a <b>c</b></title>", "a <b>c</b>", "markup in it is text"],
    ["<p>none", "", "none"],
  ];
  for (const [html, title, why] of cases) {
    test(why, async () => expect((await parseHtml(html)).title).toBe(title));
  }
});

describe("description and headings", () => {
  test("meta, else og", async () => {
    expect((await parseHtml("<META NAME=Description CONTENT=' a\n b '>")).description).toBe("a b");
    expect((await parseHtml("<meta property=og:description content=x>")).description).toBe("x");
  });

  test("h1 to h3 in order, not those of navigation", async () => {
    const page = await parseHtml(
      "<header><h1>Site</h1></header><nav><h2>Menu</h2></nav>" +
        "<main><h1>A</h1><h4>no</h4><h3>B <i>c</i></h3></main>",
    );
    expect(page.headings).toBe("A\nB c");
  });
});

describe("main text", () => {
  const cases: [string, string, string][] = [
    [`<nav>Menu</nav><main><p>${LONG}</p></main><footer>Terms</footer>`, LONG, "main"],
    [`<div role=navigation>Menu</div><div role=main>${LONG}</div>`, LONG, "roles"],
    [`<div>${LONG}</div><aside>Ads</aside><form>Search</form>`, LONG, "all but what surrounds"],
    [`<form><div>${LONG}</div></form>`, LONG, "a form around the whole page"],
    [`<nav>${LONG}</nav>`, LONG, "a page that is all navigation"],
    [`<nav><div>Menu</div><p>${LONG}</p>`, `Menu\n${LONG}`, "a nav that nobody closed"],
    [`<body hidden style="display:none">${LONG}</body>`, LONG, "a page that waits for its script"],
    ["<main>Hello</main>", "Hello", "a short page"],
    [
      `<div>${LONG}</div><article>${WORDS}</article>`,
      `${LONG}\n${WORDS.trim()}`,
      "a teaser in an article is not the content",
    ],
    [
      `<p>${WORDS}<a href=/x>${LONG}</a><main>${WORDS.repeat(3)}</main>`,
      WORDS.repeat(3).trim(),
      "nor is a menu that is not called one",
    ],
    ["<p>one<p>two<br>three<ul><li>four<li>five</ul>", "one\ntwo\nthree\nfour\nfive", "paragraphs"],
    ["<table><tr><td>a<td>b<tr><th>c</table>", "a\nb\nc", "cells"],
    ["<p>a <b>b</b>c\n\t d&nbsp;e", "a bc d e", "white space"],
    ["a<script>var x = '<p>no</p>'</script>b<style>p{}</style>", "a\nb", "code"],
    ["a<template><p>no</template>b<select><option>x</select>c", "a\nb\nc", "inert and controls"],
    ["a<span hidden>no</span>b<i style='x'>c</i>", "a\nbc", "hidden"],
    ["<p style='color:red; DISPLAY : none'>no<p>yes", "yes", "hidden by style"],
    ["<p hidden=until-found>yes", "yes", "hidden until found is there to be found"],
    ["&lt;b&gt; &copy; &#8364; &unknown; &amp", "<b> © € &unknown; &", "entities"],
    ["a<!-- no -->b<![CDATA[no]]>c<?php no ?>d", "abcd", "comments"],
    ["5 < 6 and 7 > 2", "5 < 6 and 7 > 2", "a bare less-than"],
    ["<my-card>a</my-card><my-card>b</my-card>", "a\nb", "custom elements are boxes"],
    ["a\u0000b\u202ec\u200b", "abc", "cleaned"],
  ];
  for (const [html, text, why] of cases) {
    test(why, async () => expect((await parseHtml(html)).text).toBe(text));
  }

  test("the share of links", async () => {
    const page = await parseHtml(
      `<main>${"word ".repeat(60)}<a href=/x>${"link ".repeat(20)}</a></main>`,
    );
    expect(page.linkDensity).toBeCloseTo(0.25, 1);
    expect((await parseHtml("")).linkDensity).toBe(0);
  });

  test("plain text keeps its lines", async () => {
    const page = await parseHtml("# Title\r\n\r\n  a   <b>\n\n\nc  ", {
      contentType: "text/plain",
    });
    expect(page.text).toBe("# Title\na <b>\nc");
  });

  test("XHTML: a script that closes itself swallows nothing", async () => {
    const root = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">';
    const xhtml = `${root}<script src="x"/><p>yes<![CDATA[ <too> ]]></p></html>`;
    expect((await parseHtml(xhtml, { contentType: "application/xhtml+xml" })).text).toBe(
      "yes <too>",
    );
  });

  test("a hash from 200 characters on, blind to case, width and spaces", async () => {
    expect((await parseHtml("<p>short")).contentHash).toBeNull();
    const hash = (await parseHtml(`<p>${LONG}`)).contentHash;
    expect(hash).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect((await parseHtml(`<p>${LONG.toUpperCase().replace(/ /g, "\n ")}`)).contentHash).toBe(
      hash,
    );
    expect((await parseHtml(`<p>${LONG}!`)).contentHash).not.toBe(hash);
  });
});

describe("what is no page", () => {
  const cases: [string, string, string, string][] = [
    ["<?xml version='1.0'?><rss version=2.0>", "text/html", "feed", "a feed called HTML"],
    ["<?xml version='1.0'?>\n<!-- x -->\n<feed xmlns=x>", "application/xml", "feed", "Atom"],
    ["<rdf:RDF xmlns:rdf=x>", "text/xml", "feed", "RSS 1.0"],
    ["", "application/rss+xml", "feed", "an empty feed"],
    ["<urlset xmlns=x>", "text/xml", "sitemap", "a sitemap"],
    ["<sitemapindex>", "application/xml", "sitemap", "an index of sitemaps"],
    ["<data>", "application/xml", "binary", "other XML"],
    ["%PDF-1.7", "text/html", "pdf", "a PDF called HTML"],
    ["", "application/pdf", "pdf", "a PDF"],
    ["\u0000\u0001\u0002\u0000\u0003", "text/plain", "binary", "bytes"],
    ["PK\u0003\u0004", "text/html", "binary", "an archive called HTML"],
  ];
  for (const [body, contentType, what, why] of cases) {
    test(why, async () => {
      const request = { contentType, body: new TextEncoder().encode(body) };
      await expect(parseHtml("", request)).rejects.toThrow(`not a page but ${what}`);
    });
  }

  test("an empty body is an empty page", async () => {
    expect(await parseHtml("")).toMatchObject({ title: "", text: "", links: [], lang: null });
  });
});
