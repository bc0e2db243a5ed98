import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { canonicalUrl, URL_LENGTH_MAX, urlKey } from "../../src/url/canonical.ts";

const canonical = (input: string, base?: string): string => {
  const result = canonicalUrl(input, base);
  return result.kind === "canonical" ? result.url : `refused: ${result.reason}`;
};

const rows: [input: string, expected: string, why: string][] = [
  ["http://Foo.Example/Bar", "http://foo.example/Bar", "the host has no case, the path has"],
  ["HTTPS://a.example", "https://a.example/", "scheme lower case, path at least a slash"],
  ["http://a.example:80/x", "http://a.example/x", "default port off"],
  ["https://a.example:443/x", "https://a.example/x", "default port off"],
  ["https://a.example:80/x", "https://a.example:80/x", "the other scheme's port is meant"],
  ["http://a.example:8081/x", "http://a.example:8081/x", "a port of its own stays"],
  ["http://a.example./x", "http://a.example/x", "final dot off: one host to politeness"],
  ["http://a.example../x", "refused: invalid", "an empty label cannot be asked for"],
  ["http://a..example/x", "refused: invalid", "an empty label cannot be asked for"],
  ["http://.a.example/x", "refused: invalid", "an empty label cannot be asked for"],
  ["http://a,b.example/", "refused: invalid", "no name of DNS"],
  [`http://${"a".repeat(64)}.example/`, "refused: invalid", "labels end at 63"],
  ["http://under_score.example/", "http://under_score.example/", "in use, and DNS carries it"],
  ["http://bücher.example/", "http://xn--bcher-kva.example/", "IDNA"],
  ["http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/", "IDNA of an escaped host"],
  ["http://0x7f.1/", "http://127.0.0.1/", "addresses have one form"],
  ["http://2130706433/", "http://127.0.0.1/", "addresses have one form"],
  ["http://127.0.0.1./", "http://127.0.0.1/", "addresses have one form"],
  ["http://[0:0::1]:8080/x", "http://[::1]:8080/x", "addresses have one form"],
  ["http://a.example/x#top", "http://a.example/x", "fragment off"],
  ["http://a.example/a/./b/../c", "http://a.example/a/c", "dot segments"],
  ["http://a.example/a/%2e%2E/c", "http://a.example/c", "dot segments, however written"],
  ["http://a.example\\b\\c", "http://a.example/b/c", "as browsers read it"],
  ["  http://a.example/\n\tx  ", "http://a.example/x", "space around and line breaks inside"],
  ["http://a.example/%7euser", "http://a.example/~user", "unreserved decoded"],
  ["http://a.example/%41%2d%5f", "http://a.example/A-_", "unreserved decoded"],
  ["http://a.example/%2f%3a", "http://a.example/%2F%3A", "reserved stays, in upper case"],
  ["http://a.example/caf%c3%a9", "http://a.example/caf%C3%A9", "upper case"],
  ["http://a.example/café", "http://a.example/caf%C3%A9", "UTF-8, escaped"],
  ["http://a.example/50%", "http://a.example/50%25", "a bare percent sign is one"],
  ["http://a.example/%4%31", "http://a.example/%2541", "and makes no escape with what follows"],
  ["http://a.example/%252e", "http://a.example/%252e", "decoded once, never twice"],
  ["http://a.example/a|b[c]{d}^`", "http://a.example/a%7Cb%5Bc%5D%7Bd%7D%5E%60", "RFC 3986"],
  ["http://a.example/?x[y]=|", "http://a.example/?x%5By%5D=%7C", "RFC 3986"],
  ["http://a.example//b//c", "http://a.example//b//c", "servers tell doubled slashes apart"],
  ["http://a.example/?", "http://a.example/", "empty query off"],
  ["http://a.example/?b=1&a=2", "http://a.example/?b=1&a=2", "order kept"],
  ["http://a.example/?a=&b", "http://a.example/?a=&b", "empty values kept"],
  ["http://a.example/?a=1&&b", "http://a.example/?a=1&&b", "empty parameters kept"],
  ["http://a.example/?q=a+b%20c", "http://a.example/?q=a+b%20c", "plus is not space here"],
  ["http://a.example/?utm_source=x&a=1", "http://a.example/?a=1", "tracking off"],
  ["http://a.example/?a=1&UTM_Medium=x", "http://a.example/?a=1", "in any case"],
  ["http://a.example/?utm%5Fid=x", "http://a.example/", "in any escape; the empty query goes too"],
  ["http://a.example/?a=1&amp;fbclid=x", "http://a.example/?a=1", "escaped twice by the page"],
  ["http://a.example/?gclid", "http://a.example/", "without a value"],
  ["http://a.example/?ref=x&source=y", "http://a.example/?ref=x&source=y", "some sites read these"],
  ["http://a.example/?autm_source=x", "http://a.example/?autm_source=x", "another name"],
  ["http://a.example/x;jsessionid=0A1?b=1", "http://a.example/x?b=1", "session off the path"],
  ["http://a.example/x;JSESSIONID=0A/y;v=2", "http://a.example/x/y;v=2", "only the session"],
  ["http://a.example/a/..;jsessionid=1/b", "http://a.example/b", "what is left is resolved"],
  ["http://a.example/x?PHPSESSID=1&b=2", "http://a.example/x?b=2", "session off the query"],
  [
    "http://a.example/x?sid=0123456789abcdef0123456789abcdef",
    "http://a.example/x",
    "a session by its value",
  ],
  ["http://a.example/x?sid=17", "http://a.example/x?sid=17", "a story by its value"],
  ["http://user:secret@a.example/", "refused: credentials", "no secrets in the index"],
  ["http://user@a.example/", "refused: credentials", "no names either"],
  ["http://@a.example/", "http://a.example/", "empty credentials are none"],
  ["ftp://a.example/", "refused: scheme", "http and https alone"],
  ["file:///etc/passwd", "refused: scheme", "http and https alone"],
  ["javascript:alert(1)", "refused: scheme", "http and https alone"],
  ["mailto:a@b.example", "refused: scheme", "http and https alone"],
  [`data:text/html,${"x".repeat(100_000)}`, "refused: scheme", "known without reading it"],
  ["", "refused: invalid", "nothing"],
  ["a.example/x", "refused: invalid", "relative to nothing"],
  ["http://", "refused: invalid", "no host"],
  ["http://a.example:99999/", "refused: invalid", "no port"],
  ["http://a b.example/", "refused: invalid", "no host name"],
  [`http://a.example/${"x".repeat(1_983)}`, `http://a.example/${"x".repeat(1_983)}`, "2,000"],
  [`http://a.example/${"x".repeat(1_984)}`, "refused: too long", "2,001"],
  [`http://a.example/#${"x".repeat(5_000)}`, "http://a.example/", "measured when canonical"],
  [`http://a.example/${"x".repeat(100_000)}`, "refused: too long", "known without reading it"],
];

describe("canonicalUrl", () => {
  test.each(rows)("%s → %s (%s)", (input, expected) => {
    expect(canonical(input)).toBe(expected);
  });

  const base = "https://a.example/b/c?d=1";
  test.each([
    ["e", "https://a.example/b/e", "beside the page"],
    ["/e", "https://a.example/e", "from the root"],
    ["//h.example/e", "https://h.example/e", "another host, same scheme"],
    ["?e=2", "https://a.example/b/c?e=2", "same page, other query"],
    ["#e", "https://a.example/b/c?d=1", "the page itself"],
    ["", "https://a.example/b/c?d=1", "the page itself"],
    ["../../../e", "https://a.example/e", "never above the root"],
    ["http://h.example", "http://h.example/", "absolute"],
    ["tel:123", "refused: scheme", "absolute"],
  ])("%s in a page → %s (%s)", (input, expected) => {
    expect(canonical(input, base)).toBe(expected);
  });

  test("ignores a base that is no URL", () => {
    expect(canonical("http://a.example/x", "not a url")).toBe("http://a.example/x");
    expect(canonical("x", "not a url")).toBe("refused: invalid");
  });
});

test.each(["/", "/?"])("each of the 256 escapes after %s has one form", (before) => {
  for (let byte = 0; byte < 256; byte++) {
    const written = `%${byte.toString(16).padStart(2, "0")}`;
    const character = String.fromCharCode(byte);
    const isUnreserved = /[A-Za-z0-9\-._~]/.test(character);
    const expected = isUnreserved ? character : written.toUpperCase();
    for (const form of [written, written.toUpperCase()]) {
      const url = canonical(`http://a.example${before}x${form}`);
      expect(url).toBe(`http://a.example${before}x${expected}`);
    }
  }
});

test("the key is the first half of sha256 as a uuid", () => {
  const result = canonicalUrl("https://a.example/b?c=1");
  if (result.kind !== "canonical") throw new Error("refused");
  const hex = createHash("sha256").update("https://a.example/b?c=1").digest("hex").slice(0, 32);
  expect(urlKey(result.url).replaceAll("-", "")).toBe(hex);
  expect(urlKey(result.url)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test("the bound of length is the specification's", () => {
  expect(URL_LENGTH_MAX).toBe(2_000);
});
