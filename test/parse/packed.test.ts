import { expect, test } from "bun:test";
import { SeenKeys } from "../../src/crawl/seen.ts";
import { buffersOf, packResult } from "../../src/parse/packed.ts";
import { unpackText } from "../../src/text/packed.ts";
import { packAnalysis, unpackAnalysis } from "../../src/text/packed-analysis.ts";
import { type CanonicalUrl, KEY_WORDS, urlKey } from "../../src/url/canonical.ts";
import { parseHtml } from "../support/parse.ts";

const HTML = `<title>A page</title><main><p>${"Words of a page. ".repeat(99)}<a href=/x>x</a>
  <a href=https://other.example/é?b=2&a=1 rel=nofollow>y</a><a href=/z>z</a>`;

test("a page keeps all that it was, its links and their keys in order", async () => {
  const page = await parseHtml(HTML);
  const packed = packResult(page);
  if (packed.kind !== "page") throw new Error("no page");
  const bare = {
    text: null,
    links: null,
    analysis: null,
    linkedHosts: page.linkedHosts.join("\n"),
  };
  expect({ ...packed, ...bare }).toEqual({ ...page, ...bare });
  expect(packed.linkedHosts).toBe(bare.linkedHosts);
  expect(unpackAnalysis(packed.analysis)).toEqual(page.analysis);
  expect(unpackText(packed.text)).toBe(page.text);
  expect(packed.links.urls.split("\n")).toEqual(page.links.map(({ url }) => url));
  expect(packed.links.count).toBe(3);
  expect([...packed.links.nofollow]).toEqual([0, 1, 0]);
  const words = [...packed.links.keys].map((word) => word.toString(16).padStart(8, "0"));
  const keys = page.links.map(({ url }) => urlKey(url).replaceAll("-", ""));
  expect(words.join("")).toBe(keys.join(""));
});

test("every buffer is its own: none is given away twice, or more than it holds", async () => {
  for (const html of [HTML, "", "<a href=/x>"]) {
    const packed = packResult(await parseHtml(html));
    const buffers = buffersOf(packed);
    expect(new Set(buffers).size).toBe(buffers.length);
    expect(() => structuredClone(packed, { transfer: buffers })).not.toThrow();
  }
});

test("what was seen by its text is known by its words, and nothing else is", async () => {
  const { links } = packResult(await parseHtml(HTML)) as { links: { keys: Uint32Array } };
  const seen = new SeenKeys();
  const known = () => [0, 1, 2].map((link) => seen.has(links.keys, link * KEY_WORDS));
  expect(known()).toEqual([false, false, false]);
  seen.add(urlKey("https://site.example/z" as CanonicalUrl));
  expect(known()).toEqual([false, false, true]);
  seen.clear();
  expect(known()).toEqual([false, false, false]);
});

test("an analysis comes back whole from anywhere in a buffer, and from no damaged one", async () => {
  for (const html of [HTML, "", "<title>École école</title><p>à l’École zürich 東京"]) {
    const { analysis } = await parseHtml(html);
    const packed = packAnalysis(analysis);
    const moved = new Uint8Array(packed.length + 3);
    moved.set(packed, 3);
    expect(unpackAnalysis(moved.subarray(3))).toEqual(analysis);
    for (const bytes of [7, 8, 12]) expect(unpackAnalysis(packed.subarray(0, bytes))).toBeNull();
  }
});
