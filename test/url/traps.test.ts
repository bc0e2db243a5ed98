import { describe, expect, test } from "bun:test";
import type { CanonicalUrl } from "../../src/url/canonical.ts";
import { isSessionParameter, isTrackingParameter } from "../../src/url/tracking.ts";
import { repeatedSegments } from "../../src/url/traps.ts";

describe("repeatedSegments", () => {
  const rows: [path: string, expected: boolean, why: string][] = [
    ["/", false, "nothing"],
    ["/next/", false, "once"],
    ["/next/next/", false, "twice happens"],
    ["/next/next/next/", true, "three in a row"],
    ["/a/b/a/b", false, "a pair twice"],
    ["/a/b/a/b/a/b", true, "a pair three times"],
    ["/x/a/b/c/a/b/c/a/b/c/y", true, "a group of three, three times, in the middle"],
    ["/a/b/a/b/b/a", false, "no run"],
    ["/a//a//a", true, "empty segments count for nothing"],
    ["/archive/11/11/11/", false, "a date of numbers alone"],
    ["/11/11/11/11/", true, "no date has four"],
    ["/2024/05/2024/05/2024/05/", false, "numbers alone, three times"],
    ["/n1/n1/n1", true, "not a number"],
    ["/a/1/a/2/a/3/a/4", false, "a tree of four"],
    ["/a/1/a/2/a/3/a/4/a/5", true, "the same word again and again"],
    ["/1/a/1/b/1/c/1/d/1/e", false, "numbers repeat in any tree"],
    ["/x?next/next/next/next", false, "the query is another matter"],
    ["/aa/a/aaa/a/aa", false, "not equal, only alike"],
  ];
  test.each(rows)("%s: %p (%s)", (path, expected) => {
    expect(repeatedSegments(`https://a.example${path}` as CanonicalUrl)).toBe(expected);
  });

  test.each([["next/"], ["a/b/"], ["a/b/c/d/"], ["../trap/x/"]])(
    "a page that always links %s is stopped within 20 fetches",
    (link) => {
      let url = "https://a.example/trap/";
      let fetches = 0;
      while (fetches < 50 && !repeatedSegments(url as CanonicalUrl)) {
        const next = new URL(link, url).href;
        if (next === url) break;
        url = next;
        fetches++;
      }
      expect(fetches).toBeLessThan(20);
    },
  );
});

describe("parameters that are cut off", () => {
  test.each(["utm_source", "utm_anything", "gclid", "fbclid", "mc_eid", "mtm_campaign", "xtor"])(
    "%s tracks",
    (name) => expect(isTrackingParameter(name)).toBe(true),
  );

  test.each(["utm", "id", "page", "ref", "source", "q", "lang", "cid", "xutm_source"])(
    "%s may change the page",
    (name) => expect(isTrackingParameter(name)).toBe(false),
  );

  const rows: [name: string, value: string, expected: boolean][] = [
    ["phpsessid", "", true],
    ["jsessionid", "1", true],
    ["aspsessionidqqcbrbda", "x", true],
    ["cftoken", "9", true],
    ["sid", "d41d8cd98f00b204e9800998ecf8427e", true],
    ["s", "d41d8cd98f00b204e9800998ecf8427e", true],
    ["sid", "42", false],
    ["s", "search words", false],
    ["id", "d41d8cd98f00b204e9800998ecf8427e", false],
  ];
  test.each(rows)("%s=%s is a session: %p", (name, value, expected) => {
    expect(isSessionParameter(name, value)).toBe(expected);
  });
});
