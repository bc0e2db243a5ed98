import { describe, expect, test } from "bun:test";
import { decodeRobots, parseRobots, ROBOTS_BYTES_MAX } from "../../src/parse/robots.ts";

const HOME = "https://site.example:443";
const rules = (text: string) => parseRobots(text, HOME, "trawl");
const allows = (text: string, path: string) => rules(text).isAllowed(`https://site.example${path}`);

describe("paths", () => {
  const cases: [string, string, boolean, string][] = [
    ["Disallow: /?q", "/?q=1", false, "a query"],
    ["Disallow: /?q", "/", true, "not the page without it"],
    ["Disallow: /private", "/private.html", false, "a prefix"],
    ["Disallow: /Private", "/private", true, "case counts"],
    ["Disallow: /a*b", "/axxb/c", false, "a star"],
    ["Disallow: /*.pdf$", "/x.pdf", false, "an end"],
    ["Disallow: /*.pdf$", "/x.pdf?y", true, "not the end"],
    ["Disallow: /a$b", "/a$b", false, "a dollar inside is a dollar"],
    ["Disallow: /a%2Ab", "/axb", true, "an escaped star is a star"],
    ["Disallow: /a%2Ab", "/a*b", false, "which matches itself"],
    ["Disallow: /~user", "/%7Euser/x", false, "escaped letters are letters"],
    ["Disallow: /%7euser", "/~user/x", false, "in rules too"],
    ["Disallow: /a%2fb", "/a/b", true, "an escaped slash is none"],
    ["Disallow: /a%2fb", "/a%2Fb", false, "escapes in any case"],
    ["Disallow: /café", "/caf%C3%A9", false, "letters beyond ASCII"],
    ["Disallow: /a b", "/a%20b", false, "a space"],
    ["Disallow: /a|b", "/a|b", false, "what parsers escape or not"],
    ["Disallow: /a'b", "/a'b?c='d'", false, "a quote"],
    ["Disallow: /100%", "/100%", false, "a bare percent sign"],
    ["Disallow: /a[1]", "/a[1]", false, "brackets"],
    ["Disallow: /\nAllow: /a", "/a/b", true, "the longer rule"],
    ["Disallow: /a\nAllow: /a", "/a", true, "of equals, allow"],
    ["Disallow: private", "/private", true, "a rule that starts nowhere"],
    ["Disallow: *", "/x", false, "a star alone"],
    ["Disallow: //x", "//x/y", false, "double slashes"],
    ["Disallow /x", "/x", false, "a forgotten colon"],
    ["disalow:/x", "/x", false, "a misspelling"],
    ["Disallow: /x # why", "/x", false, "a remark"],
    ["Disallow: /robots.txt", "/robots.txt", true, "robots.txt itself"],
    ["Disallow: /", "/robots.txt", true, "whatever the rules"],
  ];
  for (const [line, path, expected, why] of cases) {
    test(`${why}: ${line}`, () => expect(allows(`User-agent: *\n${line}`, path)).toBe(expected));
  }

  test("the URL of another authority is a mistake of ours, never an answer", () => {
    const text = "User-agent: *\nDisallow: /";
    for (const url of [
      "http://site.example/",
      "https://site.example:8443/",
      "https://b.site.example/",
    ]) {
      expect(() => rules(text).isAllowed(url)).toThrow("is not of");
    }
    const other = parseRobots(text, "http://site.example:8081", "trawl");
    expect(other.isAllowed("http://site.example:8081/x")).toBe(false);
  });
});

describe("bytes", () => {
  const read = (...parts: (string | number[])[]) =>
    decodeRobots(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

  test("a byte order mark, CR, CRLF, NUL", () => {
    const text = read("\ufeffUser-agent: *\r\nDisallow: /a\rDisallow: /b\u0000\n");
    expect(text.startsWith("User")).toBe(true);
    expect(text).not.toContain("\u0000");
    expect(["/a", "/b", "/c"].map((path) => allows(text, path))).toEqual([false, false, true]);
  });

  test("UTF-16", () => {
    const text = decodeRobots(Buffer.from("\ufeffUser-agent: *\nDisallow: /a", "utf16le"));
    expect(allows(text, "/a")).toBe(false);
  });

  test("a Latin-1 byte in one rule: it means its own address, the others hold", () => {
    const text = read("User-agent: *\nDisallow: /caf", [0xe9], "\nDisallow: /é\nDisallow: /b");
    const paths = ["/caf%E9", "/caf%C3%A9", "/%C3%A9", "/b"];
    expect(paths.map((path) => allows(text, path))).toEqual([false, true, false, false]);
  });

  test("500 KiB are read, the last line whole or not at all", () => {
    const filler = `# ${"x".repeat(97)}\n`;
    const head = `User-agent: *\n${filler.repeat(5_000)}`;
    const late = `${head}Disallow: /late\n`;
    expect(allows(read(late), "/late")).toBe(false);
    const cut = `${late}${filler.repeat(130)}`.slice(0, ROBOTS_BYTES_MAX - 12);
    const text = read(`${cut}\nDisallow: /cut/here\nDisallow: /lost`);
    expect(["/late", "/cut", "/lost"].map((path) => allows(text, path))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("HTML, binary and nothing at all are no rules", () => {
    for (const body of [
      "",
      "<!doctype html><p>Not: found",
      "\u0000\u0001\u0002",
      "x".repeat(20_000),
    ]) {
      expect(allows(read(body), "/x")).toBe(true);
    }
  });
});

describe("size", () => {
  /** Processor time, for other work on the machine does not count. */
  const cpuMs = (work: () => unknown) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const many = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join("\n");
  const shapes: [string, string][] = [
    ["100,000 agents", `${many(100_000, (at) => `User-agent: bot${at}`)}\nDisallow: /`],
    ["our name 100,000 times", `${many(100_000, () => "User-agent: trawl")}\nDisallow: /`],
    ["40,000 rules", `User-agent: *\n${many(40_000, (at) => `Disallow: /${at}`)}`],
    ["40,000 stars", `User-agent: *\n${many(40_000, (at) => `Disallow: /*${at}`)}`],
    ["a rule of stars", `User-agent: *\nDisallow: /${"a*".repeat(250_000)}`],
    [
      "rules of stars",
      `User-agent: *\n${many(2_000, (at) => `Disallow: /*${"a*".repeat(100)}${at}`)}`,
    ],
    ["one line", "x".repeat(10_000_000)],
    ["colons", ":".repeat(500_000)],
  ];
  for (const [name, text] of shapes) {
    test(name, () => {
      rules("User-agent: *\nDisallow: /a");
      let parsed = rules("");
      expect(cpuMs(() => (parsed = rules(text)))).toBeLessThan(name.includes("agents") ? 100 : 300);
      const url = `https://site.example/${"a".repeat(1_900)}b`;
      expect(cpuMs(() => parsed.isAllowed(url))).toBeLessThan(300);
    });
  }

  test("what is cut off a rule of too many stars forbids more, never less", () => {
    const text = `User-agent: *\nDisallow: /x${"*y".repeat(50)}\nAllow: /x${"*y".repeat(60)}`;
    expect(allows(text, `/x${"y".repeat(80)}`)).toBe(false);
    expect(allows(text, "/z")).toBe(true);
  });
});
