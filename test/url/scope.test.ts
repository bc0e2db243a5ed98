import { describe, expect, test } from "bun:test";
import type { CanonicalUrl } from "../../src/url/canonical.ts";
import { isIncluded, matchesPattern, pathAndQuery } from "../../src/url/scope.ts";

describe("matchesPattern", () => {
  const rows: [pattern: string, subject: string, expected: boolean, why: string][] = [
    ["/news/*", "/news/", true, "a star is any run, also none"],
    ["/news/*", "/news/a?b=1", true, "over path and query"],
    ["/news/*", "/old/news/a", false, "held against the whole"],
    ["/news", "/news/a", false, "held against the whole"],
    ["*/print", "/a/b/print", true, "a star in front"],
    ["*print=1*", "/a?x=2&print=1&y", true, "in the middle of a query"],
    ["*", "/", true, "everything"],
    ["", "/", false, "nothing"],
    ["/a**b", "/axxb", true, "two stars are one"],
    ["/*/b/*/d", "/a/b/b/c/d", true, "goes back to the last star"],
    ["/a.c", "/abc", false, "a dot is a dot"],
    ["/[a]", "/[a]", true, "a bracket is a bracket"],
    ["/A", "/a", false, "paths have a case"],
    ["/*.pdf", "/a.pdf.pdf", true, "a star may take what looks like the end"],
  ];
  test.each(rows)("%s on %s: %p (%s)", (pattern, subject, expected) => {
    expect(matchesPattern(subject, pattern)).toBe(expected);
  });

  test("costs no more than pattern times subject", () => {
    const began = performance.now();
    expect(matchesPattern("a".repeat(2_000), `${"*a".repeat(100)}b`)).toBe(false);
    expect(performance.now() - began).toBeLessThan(100);
  });
});

describe("isIncluded", () => {
  const url = "https://a.example/news/1?print=1" as CanonicalUrl;
  const rows: [include: string[], exclude: string[], expected: boolean, why: string][] = [
    [[], [], true, "no patterns: everything"],
    [["/news/*"], [], true, "included"],
    [["/blog/*"], [], false, "something else is included"],
    [["/blog/*", "/news/*"], [], true, "one is enough"],
    [[], ["*print=1"], false, "excluded"],
    [["/news/*"], ["*print=1"], false, "exclusion wins"],
    [[], ["/blog/*"], true, "something else is excluded"],
  ];
  test.each(rows)("include %p, exclude %p: %p (%s)", (include, exclude, expected) => {
    expect(isIncluded(url, { include, exclude })).toBe(expected);
  });

  test("patterns see path and query alone", () => {
    expect(pathAndQuery(url)).toBe("/news/1?print=1");
    expect(pathAndQuery("https://[::1]:8443/" as CanonicalUrl)).toBe("/");
  });
});
