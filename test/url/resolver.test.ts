import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalUrl } from "../../src/url/canonical.ts";
import { Resolver } from "../../src/url/resolver.ts";

const BASES = [
  "http://site.example/dir/page.html?q=1",
  "https://site.example:8443/",
  "http://user@site.example/x",
  "http://SITE.example./a;b/",
  "http://[::1]:80/a",
];
const ORIGINS = [
  "http://site.example",
  "https://site.example:8443",
  "http://other.example:80",
  "http://Other.example",
  "https://a.example.",
  "http://u:p@h.example",
  "http://[::1]",
  "http://h\\x",
  "http://h?x",
  "https:/",
  "http:/",
  "",
];
const segment = fc.oneof(
  fc.constantFrom(
    "a",
    "b.html",
    ".",
    "..",
    "",
    ".x",
    "a;b",
    "%7e",
    "%2F",
    "a b",
    "é",
    "~x!$'()*,=:@",
  ),
  fc.constantFrom("?a=1", "#f", "a;jsessionid=1", "\\", "\t", "\n", "?utm_source=x", "x?'&b"),
  fc.string({ unit: "grapheme-ascii", maxLength: 4 }),
);
const href = fc
  .tuple(fc.constantFrom(...ORIGINS), fc.array(segment, { maxLength: 4 }), fc.constantFrom("", "/"))
  .map(([origin, segments, slash]) => `${origin}${slash}${segments.join("/")}`);

test("what a resolver says is what canonicalUrl says, whatever was resolved before", () => {
  fc.assert(
    fc.property(fc.constantFrom(...BASES), fc.array(href, { maxLength: 6 }), (base, hrefs) => {
      const resolver = new Resolver(base);
      for (const written of hrefs) {
        const expected = canonicalUrl(written, base);
        const url = expected.kind === "canonical" ? expected.url : null;
        expect(resolver.canonical(written)).toBe(url);
        expect(resolver.canonical(written)).toBe(url);
      }
    }),
    { numRuns: 3_000 },
  );
});

test("a URL that is too long is refused, plain or not", () => {
  const resolver = new Resolver("http://site.example/");
  expect(`${resolver.canonical(`/${"x".repeat(1_980)}`)}`).toBe(
    `http://site.example/${"x".repeat(1_980)}`,
  );
  expect(resolver.canonical(`/${"x".repeat(1_981)}`)).toBeNull();
  expect(resolver.canonical(`http://site.example/${"x".repeat(1_981)}`)).toBeNull();
});
