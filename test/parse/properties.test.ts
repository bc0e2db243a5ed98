import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseDate } from "../../src/parse/dates.ts";
import { parsePage } from "../../src/parse/page.ts";
import { decodeRobots, parseRobots } from "../../src/parse/robots.ts";
import { canonicalUrl } from "../../src/url/canonical.ts";
import { requestOf } from "../support/parse.ts";

const TAGS = "a p div main nav h1 title script style svg template table td li form time meta base";
const piece = fc.oneof(
  fc.constantFrom(...TAGS.split(" ").flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag} `, `</`])),
  fc.constantFrom(
    "href='",
    'href="',
    "hidden",
    "style=display:none",
    ">",
    "/>",
    "<!--",
    "-->",
    "&",
  ),
  fc.constantFrom("&#0;", "&#xD800;", "&lt", "content=", "name=robots", "<![CDATA[", "]]>", "<?"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const soup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

test("any soup of tags is a page of clean text and canonical links", async () => {
  await fc.assert(
    fc.asyncProperty(soup, async (html) => {
      const page = await parsePage(requestOf(html));
      if (page.kind !== "page") return;
      for (const text of [page.title, page.description, page.headings, page.text]) {
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/\p{Cc}(?<![\t\n\r\f\v\u0085])/u);
      }
      expect(page.text).not.toMatch(/ {2}|^\s|\n\n/);
      for (const { url } of page.links) expect(String(Object(canonicalUrl(url)).url)).toBe(url);
      expect(page.linkDensity).toBeWithin(0, 1.000001);
    }),
    { numRuns: 400 },
  );
});

test("any bytes are a page, or are told what they are", async () => {
  const types = fc.constantFrom("text/html", "text/plain", "application/xhtml+xml", "text/xml", "");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), types, async (body, contentType) => {
      const result = await parsePage({ ...requestOf(""), body, contentType, charset: null });
      expect(["page", "not a page"]).toContain(result.kind);
    }),
    { numRuns: 400 },
  );
});

const line = fc.oneof(
  fc.constantFrom("User-agent: *", "User-agent: trawl", "Disallow: /", "Crawl-delay: 1", "", "#"),
  fc
    .tuple(fc.constantFrom("Allow: ", "Disallow: "), fc.string({ unit: "binary" }))
    .map((two) => two.join("")),
  fc.string({ unit: "binary", maxLength: 20 }),
);

test("any robots.txt answers for any path of its authority", () => {
  fc.assert(
    fc.property(fc.array(line), fc.webPath(), fc.webQueryParameters(), (lines, path, query) => {
      const text = decodeRobots(new TextEncoder().encode(lines.join("\n")));
      const rules = parseRobots(text, "http://site.example:80", "trawl");
      expect(typeof rules.isAllowed(`http://site.example${path}?${query}`)).toBe("boolean");
      expect(rules.isAllowed("http://site.example/robots.txt")).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a literal rule forbids its own path", () => {
  fc.assert(
    fc.property(fc.webPath(), (path) => {
      const url = new URL(`http://site.example${path}`);
      fc.pre(url.pathname !== "/robots.txt" && !/[#*$]/.test(path));
      const rules = parseRobots(
        `User-agent: *\nDisallow: ${url.pathname}`,
        "http://site.example:80",
        "t",
      );
      expect(rules.isAllowed(url.href)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("every ISO date reads as itself", () => {
  const dates = fc.date({
    min: new Date("1000-01-01"),
    max: new Date("9999-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dates, (date) => {
      const seconds = Math.floor(date.getTime() / 1000) * 1000;
      expect(parseDate(date.toISOString())).toBe(seconds);
      expect(parseDate(date.toUTCString())).toBe(seconds);
    }),
  );
});
