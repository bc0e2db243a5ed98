import { describe, expect, test } from "bun:test";
import { parsePage } from "../../src/parse/page.ts";
import type { ParsedPage } from "../../src/parse/parsed.ts";
import { requestOf } from "../support/parse.ts";

const MB = 1 << 20;

/** Parses, and tells the processor time it took: other work on the machine does not count. */
async function timed(html: string): Promise<{ page: ParsedPage; cpuMs: number }> {
  const request = { ...requestOf(html), url: "https://site.example/" };
  const before = process.cpuUsage();
  const page = await parsePage(request);
  const { user, system } = process.cpuUsage(before);
  if (page.kind !== "page") throw new Error("not a page");
  return { page, cpuMs: (user + system) / 1000 };
}

describe("5 MB of every bad shape stay within the budget of a page", () => {
  const size = 5 * MB;
  const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  const shapes: [string, string][] = [
    ["one long word", fill("a")],
    ["one attribute", `<a href="${fill("x")}">`],
    ["an attribute that never ends", `<p>yes<a href="${fill("x")}`],
    ["one description", `<meta name=description content="${fill("word ")}">`],
    ["one title", `<title>${fill("word ")}</title>`],
    ["deep elements", fill("<div>")],
    ["deep and closed", fill("<div>").slice(0, MB) + fill("</div>").slice(0, MB)],
    ["deep inline, blocks that close nothing", fill("<span>").slice(0, MB) + fill("</a></b>")],
    ["deep sections, another end tag", fill("<section>").slice(0, MB) + fill("</main>")],
    ["open cells", fill("<td><section>").slice(0, 2 * MB) + fill("</div>").slice(0, 2 * MB)],
    ["paragraphs", fill("<p>a")],
    ["links that nobody closed", fill("<a href=x>")],
    ["headings", fill("<h1>a")],
    ["attributes", `<a ${fill("a=b ")}>`],
    ["tags that are none", fill("<")],
    ["ends that are none", fill("</")],
    ["comments", fill("<!-- -->")],
    ["a comment that never ends", `<!--${fill("- ")}`],
    ["declarations", fill("<!DOCTYPE ")],
    ["entities", fill("&lt;&amp;&notanentity;&#x1F600;")],
    ["ampersands", fill("&")],
    ["scripts that never end", fill("<script>")],
    ["JSON-LD", fill('<script type=application/ld+json>{"datePublished":1}</script>')],
    ["deep JSON-LD", `<script type=application/ld+json>"datePublished"${fill("[").slice(0, MB)}`],
    ["white space", fill(" \n\t")],
    ["spaces and letters", fill(" a  b")],
    ["metas", fill("<meta name=robots content=index>")],
    ["dates", fill("<meta name=date content=99999999999999999999>")],
    ["svg", fill("<svg><title>")],
    ["nulls", `<p>${fill("a\u0000b\u200b")}`],
    ["bases", fill("<base href=//x>")],
    ["foreign marks", fill("a\u0300")],
    ["custom elements", fill("<x-y>")],
    ["rel", `<a href=x rel="${fill("a ")}">`],
  ];
  for (const [name, html] of shapes) {
    test(name, async () => {
      const { page, cpuMs } = await timed(html);
      expect(cpuMs).toBeLessThan(2_000);
      expect(page.text.length).toBeLessThanOrEqual(200_000);
      expect(page.title.length).toBeLessThanOrEqual(500);
      expect(page.description.length).toBeLessThanOrEqual(1_000);
      expect(page.headings.length).toBeLessThanOrEqual(8_000);
    });
  }
});

test("a 10 MB attribute and a 200,000-deep page around real content", async () => {
  const text = "The council met on Tuesday to talk about the bridge over the river. ".repeat(5);
  const image = `<img alt="${"x".repeat(10 * MB)}">`;
  const html = `${image}${"<div>".repeat(200_000)}<p>${text}<a href=/next>`;
  const { page, cpuMs } = await timed(html);
  expect(page.text).toBe(text.trim());
  expect(page.links.map((link): string => link.url)).toEqual(["https://site.example/next"]);
  expect(cpuMs).toBeLessThan(2_000);
});

test("twice the page takes twice the time, not four times", async () => {
  for (const piece of [
    "<div><span>",
    "<a href=/x>a</b>",
    "<p>a &amp; b</p></td>",
    "<td><div></p>",
  ]) {
    await timed(piece.repeat(20_000));
    const small = await timed(piece.repeat(50_000));
    const large = await timed(piece.repeat(200_000));
    expect(large.cpuMs, piece).toBeLessThan(small.cpuMs * 12 + 100);
  }
});
