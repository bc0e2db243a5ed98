import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parseDirectives } from "../../src/parse/directives.ts";
import { decodeRobots, parseRobots } from "../../src/parse/robots.ts";
import { suite } from "../support/suites.ts";

interface MatchCase {
  id: string;
  google_only: boolean;
  robots: string;
  agent: string;
  url: string;
  allowed: boolean;
}

interface ParseCase {
  test: string;
  robots: string | null;
  robots_hex?: string;
  sitemap: string;
}

/** Where we follow RFC 9309 or common sense, and the reference does otherwise. */
const DIFFERENCES: Record<string, string> = {
  "ID_Encoding#3":
    "a URL with raw letters is the URL with its escapes: the reference compares bytes",
  "ID_Encoding#5": "the same",
  "ID_Encoding#6": "RFC 9309 section 2.2.2: an escaped unreserved letter is the letter",
  "GoogleOnly_SystemTest#1": "no URL is asked about without a host",
  "GoogleOnly_SystemTest#2": "no URL is asked about without a host",
  "GoogleOnly_SystemTest#3": "no URL is asked about without a host",
  "GoogleOnly_SystemTest#4": "no URL is asked about without a host",
  "GoogleOnly_AcceptUserAgentUpToFirstSpace#2": "our token has no space",
  "GoogleOnly_IndexHTMLisDirectory#1": "/index.html is no other name of /",
  "GoogleOnly_LineTooLong#2": "a line is not cut: a longer rule matches no URL of ours",
  "GoogleOnly_LineTooLong#4": "the same",
  "GoogleOnly_LineTooLong#5": "the same",
};

function answer({ robots, agent, url }: MatchCase): boolean | string {
  const parsed = URL.parse(url);
  if (parsed === null) return "no URL";
  const port = parsed.port || (parsed.protocol === "https:" ? "443" : "80");
  const authority = `${parsed.protocol}//${parsed.hostname}:${port}`;
  const text = decodeRobots(new TextEncoder().encode(robots));
  return parseRobots(text, authority, agent.toLowerCase()).isAllowed(url);
}

const path = suite("robots/google-robotstxt-cases.json");

describe.skipIf(path === null)("the reference matcher's cases", () => {
  const cases = path === null ? null : JSON.parse(readFileSync(path, "utf8"));

  test("match", () => {
    const all = cases.match_cases as MatchCase[];
    const wrong = all.filter((each) => answer(each) !== each.allowed).map(({ id }) => id);
    const score = `${all.length - wrong.length} of ${all.length}`;
    console.log(`robots: ${score} as the reference; ${wrong.length} named differences`);
    expect(wrong.sort()).toEqual(Object.keys(DIFFERENCES).sort());
  });

  test("every case that is not Google's own, but for three on encoding", () => {
    const open = (cases.match_cases as MatchCase[]).filter((each) => !each.google_only);
    const wrong = open.filter((each) => answer(each) !== each.allowed).map(({ id }) => id);
    expect(wrong).toEqual(["ID_Encoding#3", "ID_Encoding#5", "ID_Encoding#6"]);
  });

  test("sitemaps, line ends and marks", () => {
    for (const each of cases.parse_cases as ParseCase[]) {
      const bytes = Buffer.from(
        each.robots ?? each.robots_hex ?? "",
        each.robots === null ? "hex" : "utf8",
      );
      const rules = parseRobots(decodeRobots(bytes), "http://foo.bar:80", "bar");
      expect([...rules.sitemaps], each.test).toEqual(each.sitemap === "" ? [] : [each.sitemap]);
      expect(rules.isAllowed("http://foo.bar/AnyValue")).toBe(!bytes.includes("Disallow: /"));
    }
  });

  test("escapes", () => {
    for (const { kind, input, expected } of cases.pairs) {
      if (kind !== "escape" || input.includes(":")) continue;
      const rule = `User-agent: *\nDisallow: /${input}`;
      const rules = parseRobots(rule, "http://foo.bar:80", "foo");
      expect(rules.isAllowed(`http://foo.bar/${expected}`), input).toBe(false);
    }
  });
});

const semantics = suite("robots/robots-fetch-semantics.json");

describe.skipIf(semantics === null)("what pages and headers say (fetch semantics)", () => {
  const known = (id: string) =>
    JSON.parse(readFileSync(semantics as string, "utf8")).cases.some(
      (each: { id: string }) => each.id === id,
    );

  test("x-robots-tag: noindex, nofollow, none, unavailable_after, otherbot: noindex", () => {
    expect(known("x-robots-tag")).toBe(true);
    const read = (...headers: string[]) =>
      parseDirectives({ metas: [], headers, reservations: [], robotsToken: "trawl" });
    expect(read("noindex")).toMatchObject({ noindex: true, nofollow: false });
    expect(read("nofollow")).toMatchObject({ noindex: false, nofollow: true });
    expect(read("none")).toMatchObject({ noindex: true, nofollow: true });
    expect(read("otherbot: noindex")).toMatchObject({ noindex: false });
    expect(read("unavailable_after: 25-Aug-2011 15:00:00 EST").unavailableAfter).toBe(
      "2011-08-25T20:00:00.000Z",
    );
  });

  test("robots-itself, size-500KiB, line-16k, utf8, group-merge, ua-token", () => {
    const ask = (text: string, url: string) =>
      parseRobots(decodeRobots(Buffer.from(text)), "http://h:80", "trawl").isAllowed(url);
    expect(ask("User-agent: *\nDisallow: /", "http://h/robots.txt")).toBe(true);
    const filler = "#".repeat(99);
    const late = `User-agent: *\n${`${filler}\n`.repeat(5_115)}Disallow: /late\n`;
    expect(late.length).toBeGreaterThan(499 * 1024);
    expect(ask(late, "http://h/late")).toBe(false);
    expect(ask(`User-agent: *\nDisallow: /${"x".repeat(16_384)}\nDisallow: /y`, "http://h/y")).toBe(
      false,
    );
    const merged = "User-agent: TRAWL/1.0\nDisallow: /a\n\nUser-agent: trawl\nDisallow: /b";
    expect([ask(merged, "http://h/a"), ask(merged, "http://h/b")]).toEqual([false, false]);
  });
});
