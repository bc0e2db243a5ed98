import { describe, expect, test } from "bun:test";
import { parseRobots } from "../../src/parse/robots.ts";

const HOME = "https://site.example:443";
const rules = (text: string) => parseRobots(text, HOME, "trawl");
const allows = (text: string, path: string) => rules(text).isAllowed(`https://site.example${path}`);

describe("whom a group is for", () => {
  const mine = (agent: string) => !allows(`User-agent: ${agent}\nDisallow: /`, "/x");
  const cases: [string, boolean, string][] = [
    ["Trawl", true, "our token"],
    ["TRAWL", true, "any case"],
    ["trawl/2.0", true, "with a version"],
    ["Trawl Bot", true, "with a word behind it"],
    ["trawl2", true, "a version without a slash"],
    ["Trawler", false, "another token that starts like ours"],
    ["trawl-news", false, "another token"],
    ["Mozilla/5.0 (compatible; Trawl)", false, "only the first token counts"],
    ["*", true, "everybody"],
    ["* # all", true, "everybody, explained"],
    ["*bot", false, "no pattern"],
    ["", false, "nobody"],
  ];
  for (const [agent, expected, why] of cases) {
    test(why, () => expect(mine(agent)).toBe(expected));
  }

  test("our own group replaces the one for everybody", () => {
    const text = "User-agent: *\nDisallow: /\nUser-agent: trawl\nDisallow: /a";
    expect([allows(text, "/b"), allows(text, "/a")]).toEqual([true, false]);
    expect(allows("User-agent: *\nDisallow: /\nUser-agent: trawl\n", "/b")).toBe(true);
    expect(allows("User-agent: *\nDisallow: /\nUser-agent: trawl\nDisallow:", "/b")).toBe(true);
  });

  test("groups of one agent are one", () => {
    const text =
      "User-agent: trawl\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\n" +
      "User-agent: Trawl\nDisallow: /b";
    expect(["/a", "/b", "/c"].map((path) => allows(text, path))).toEqual([false, false, true]);
  });

  test("a Sitemap, a Crawl-delay or an unknown line does not end a group", () => {
    for (const line of ["Sitemap: /s.xml", "Crawl-delay: 5", "Noise: 1", "", "# remark"]) {
      expect(allows(`User-agent: trawl\n${line}\nUser-agent: b\nDisallow: /x`, "/x"), line).toBe(
        false,
      );
    }
  });

  test("rules before any agent are nobody's", () => {
    expect(allows("Disallow: /\nUser-agent: *\nDisallow: /a", "/b")).toBe(true);
  });
});

describe("Crawl-delay", () => {
  const cases: [string, number | null, string][] = [
    ["User-agent: *\nCrawl-delay: 10", 10_000, "for everybody"],
    ["User-agent: *\nCrawl-delay: 0.5", 500, "a fraction"],
    ["User-agent: *\nCrawl-delay: 10s # slowly", 10_000, "with a unit"],
    ["User-agent: *\nCrawl-delay: 999999", 86_400_000, "at most a day"],
    ["User-agent: *\nCrawl-delay: soon", null, "no number"],
    ["User-agent: *\nCrawl-delay: -1", null, "negative"],
    ["Crawl-delay: 10\nUser-agent: *\nDisallow: /a", null, "before any agent"],
    [
      "User-agent: x\nCrawl-delay: 10\nDisallow: /\n\nUser-agent: *\nDisallow: /a",
      null,
      "another group's",
    ],
    [
      "User-agent: *\nCrawl-delay: 10\nUser-agent: trawl\nCrawl-delay: 2\n" +
        "User-agent: z\nCrawl-delay: 30\nDisallow: /a",
      2_000,
      "between agents of one group: the one that stands under us",
    ],
    [
      "User-agent: trawl\nUser-agent: x\nCrawl-delay: 3\nDisallow: /",
      3_000,
      "for all agents above it",
    ],
    [
      "User-agent: x\nCrawl-delay: 7\nUser-agent: trawl\nDisallow: /a",
      7_000,
      "of the group, when none is our own",
    ],
    [
      "User-agent: *\nCrawl-delay: 10\nDisallow: /b\nUser-agent: trawl\nDisallow: /a",
      null,
      "our own group has none",
    ],
    [
      "User-agent: trawl\nCrawl-delay: 2\nDisallow: /a\n" +
        "User-agent: trawl\nCrawl-delay: 4\nDisallow: /b",
      4_000,
      "the longer of two groups",
    ],
  ];
  for (const [text, expected, why] of cases) {
    test(why, () => expect(rules(text).crawlDelayMs).toBe(expected));
  }
});

describe("sitemaps", () => {
  test("anywhere, absolute, distinct, http only", () => {
    const text =
      "SITEMAP: /a.xml\nUser-agent: x\nsitemap:https://cdn.example/b.xml # b\nDisallow: /\n" +
      "Sitemap: /a.xml\nSitemap: ftp://a/\nSitemap:\nSitemap: http://[";
    expect(rules(text).sitemaps).toEqual([
      "https://site.example/a.xml",
      "https://cdn.example/b.xml",
    ]);
  });

  test("no more than a thousand", () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `Sitemap: /${at}.xml`).join("\n");
    expect(rules(text).sitemaps.length).toBe(1_000);
  });
});

describe("signals of machine use", () => {
  const cases: [string, [boolean | null, boolean | null, boolean | null], string][] = [
    [
      "User-agent: *\nContent-Signal: search=yes, ai-input=no, ai-train=no\nAllow: /",
      [true, false, false],
      "all three",
    ],
    ["User-agent: *\nContent-Usage: train-ai=n", [null, null, false], "in other words"],
    ["Content-Signal: ai-train=no", [null, null, false], "outside of any group: for everybody"],
    ["User-agent: x\nContent-Signal: ai-input=no", [null, null, null], "another bot's"],
    [
      "User-agent: *\nContent-Signal: ai-input=no\nDisallow:\n" +
        "User-agent: trawl\nContent-Signal: search=no\nDisallow:",
      [false, false, null],
      "what our group leaves open, everybody's decides",
    ],
    ["User-agent: *\nContent-Signal: nonsense", [null, null, null], "nothing said"],
  ];
  for (const [text, [search, aiInput, aiTrain], why] of cases) {
    test(why, () => expect(rules(text).signals).toEqual({ search, aiInput, aiTrain }));
  }
});
