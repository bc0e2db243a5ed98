import { describe, expect, test } from "bun:test";
import type { CanonicalUrl } from "../../src/url/canonical.ts";
import { patternsOf, withoutParameters } from "../../src/url/pattern.ts";

describe("the patterns of a URL", () => {
  const rows: [path: string, narrow: string | null, broad: string | null][] = [
    ["/", null, null],
    ["/about", null, null],
    ["/item/17", "/item/0", "/item/**"],
    ["/cal/2026/11/", "/cal/0/0/", "/cal/**"],
    ["/shop/red/large", null, "/shop/**"],
    ["/shop/", null, null],
    ["/2026/11/how-to-bake-good-bread", "/0/0/*", "/0/**"],
    ["/shop?size=L&color=red", "/shop?color&size", "/shop?*"],
    ["/shop?color=blue&color=red&size=S", "/shop?color&size", "/shop?*"],
    ["/p12?a1=x&a2=y", "/p0?a0", "/p0?*"],
    ["/?x=http://a.example/?x=1", "/?x", "/?*"],
  ];
  test.each(rows)("%s", (path, narrow, broad) => {
    const found = patternsOf(`http://a.example:80${path}` as CanonicalUrl);
    expect([found.narrow, found.broad]).toEqual([narrow, broad]);
  });

  test("are bounded in length", () => {
    const long = patternsOf(`http://a.example/1${"/x".repeat(900)}` as CanonicalUrl);
    expect(long.narrow!.length).toBe(200);
  });
});

test.each([
  ["/t?id=5&sid=1", "/t?id=5"],
  ["/t?sid=1", "/t"],
  ["/t?sid", "/t"],
  ["/t?b=2&sid=1&a=1&sid=2", "/t?b=2&a=1"],
  ["/t?sids=1", "/t?sids=1"],
  ["/t", "/t"],
])("%s without its neutral parameter is %s", (path, bare) => {
  const url = (text: string) => `http://a.example${text}` as CanonicalUrl;
  expect(withoutParameters(url(path), new Set(["sid"]))).toBe(url(bare));
});
