import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { readSitemap, type SitemapEntry, type SitemapPiece } from "../../src/parse/sitemap.ts";
import { kindOfBody } from "../../src/parse/sniff.ts";
import { suite } from "../support/suites.ts";

const NOW = Date.parse("2026-11-30T00:00:00Z");
const BASE = "https://example.com/sitemap.xml";

interface Whole {
  what: SitemapPiece["what"];
  entries: SitemapEntry[];
  isCutShort: boolean;
}

interface Given {
  url?: string;
  charset?: string | null;
  /** Bytes of a piece. */
  size?: number;
  kind?: "sitemap" | "feed";
}

/** Read as a crawl reads it, piece by piece. */
function read(body: string | Uint8Array, given: Given = {}): Whole {
  const { url = BASE, charset = null, size = Number.POSITIVE_INFINITY, kind = "sitemap" } = given;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const whole: Whole = { what: null, entries: [], isCutShort: false };
  let state: SitemapPiece["state"] = null;
  for (let at = 0, end = 0; ; at = end) {
    end = Math.min(bytes.length, at + size);
    const isLast = end === bytes.length;
    const piece: SitemapPiece = readSitemap({
      kind,
      url,
      bytes: bytes.slice(at, end),
      isLast,
      state,
      charset,
      now: NOW,
    });
    state = structuredClone(piece.state);
    whole.what = piece.what ?? whole.what;
    whole.entries.push(...piece.entries);
    whole.isCutShort = piece.isCutShort;
    if (isLast || piece.what === "other") return whole;
  }
}

const urlsOf = ({ entries }: Whole) => [...new Set(entries.map((entry) => entry.url))];
const urlset = (inner: string) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`;

interface Case {
  id: string;
  url: string;
  content_type: string | null;
  body_b64: string;
  expect: {
    urls?: string[];
    children?: string[];
    alternates?: string[];
    error?: boolean;
    lastmod?: string | null;
    bounded_ms?: number;
    bounded_mb?: number;
    priority?: number | null;
  };
}

const path = suite("sitemaps/sitemap-cases.json");
const cases: Case[] = path ? JSON.parse(readFileSync(path, "utf8")).cases : [];
/** What admission judges, not the reader; and what is said of a document that has no end. */
const JUDGED_LATER = new Set(["loc-private", "loc-cross-host", "index-self", "index-robots"]);

describe.skipIf(path === null)("the public suite", () => {
  test("is there in whole", () => expect(cases.length).toBeGreaterThan(60));

  for (const size of [Number.POSITIVE_INFINITY, 255, 64, 7, 1]) {
    test.each(cases.map((each) => [each.id, each] as const))(`%s, ${size} a piece`, (id, each) => {
      let bytes: Uint8Array = Buffer.from(each.body_b64, "base64");
      if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = gunzipSync(bytes);
      const isFeed = kindOfBody(bytes, each.content_type ?? "") === "feed";
      const given = isFeed ? { kind: "feed" as const } : { size };
      const whole = read(Uint8Array.from(bytes), { url: each.url, ...given });
      const { urls, children, alternates = [], error, lastmod, priority } = each.expect;
      if (error) return expect(whole.what).toBe("other");
      if (urls && !JUDGED_LATER.has(id)) expect(urlsOf(whole)).toEqual([...urls, ...alternates]);
      if (children && !JUDGED_LATER.has(id)) expect(urlsOf(whole)).toEqual(children);
      if (children) expect(whole.what).toBe("index");
      const [first] = whole.entries;
      if (priority !== undefined) expect(first?.priority ?? null).toBe(priority);
      if (lastmod !== undefined) {
        const ms = lastmod === null || lastmod.startsWith("future") ? null : Date.parse(lastmod);
        expect(first?.lastmod ?? null).toBe(ms);
      }
    });
  }
});

const BOUNDED = cases.filter(({ expect: { bounded_ms } }) => bounded_ms !== undefined);

test.each(BOUNDED.map((each) => [each.id, each] as const))("%s: time and memory", (_, each) => {
  const bytes = Uint8Array.from(Buffer.from(each.body_b64, "base64"));
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const { entries } = read(bytes, { url: each.url });
  const tookMs = performance.now() - began;
  const grewMb = (process.memoryUsage.rss() - before) / 2 ** 20;
  expect(entries).toEqual([]);
  expect(tookMs).toBeLessThan(each.expect.bounded_ms!);
  expect(grewMb).toBeLessThan(each.expect.bounded_mb!);
});

describe("the charset", () => {
  const text = `<?xml version="1.0"?>${urlset(
    Array.from({ length: 40 }, (_, n) => `<url><loc>https://example.com/é${n}</loc></url>`).join(
      "",
    ),
  )}`;
  const declared = (label: string, from = text) =>
    from.replace('version="1.0"', `version="1.0" encoding="${label}"`);
  const mark = (...bytes: number[]) => Buffer.from(bytes);
  const swapped = (from: string) => Buffer.from(from, "utf16le").swap16();
  const FORMS: [form: string, bytes: Buffer, charset: string | null][] = [
    ["UTF-8", Buffer.from(text), null],
    ["UTF-8 with a mark", Buffer.concat([mark(0xef, 0xbb, 0xbf), Buffer.from(text)]), null],
    ["UTF-16LE with a mark", Buffer.from(`\ufeff${text}`, "utf16le"), null],
    ["UTF-16BE with a mark", swapped(`\ufeff${text}`), null],
    ["UTF-16LE", Buffer.from(text, "utf16le"), null],
    ["UTF-16BE", swapped(text), null],
    ["what is declared", Buffer.from(declared("ISO-8859-1"), "latin1"), null],
    ["what the header says", Buffer.from(text, "latin1"), "windows-1252"],
    ["what old tools write", Buffer.from(text, "latin1"), null],
  ];
  const ROWS = FORMS.flatMap(([form, bytes, charset]) =>
    [1, 7, 64, 255].map((size) => [form, size, bytes, charset] as const),
  );

  test.each(ROWS)("%s, first piece of %i bytes", (_form, size, bytes, charset) => {
    const whole = read(Uint8Array.from(bytes), { size, charset });
    expect(whole.what).toBe("urls");
    expect(urlsOf(whole)).toEqual(
      Array.from({ length: 40 }, (_, n) => `https://example.com/%C3%A9${n}`),
    );
  });
});

describe("a sitemap", () => {
  test("gives no entry that refers to what its own document defines", () => {
    const bomb = `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"> ]>`;
    const good = "<url><loc>https://example.com/a?x=1&amp;y=2</loc></url>";
    const whole = read(bomb + urlset(`<url><loc>https://example.com/&b;</loc></url>${good}`));
    expect(urlsOf(whole)).toEqual(["https://example.com/a?x=1&y=2"]);
  });

  test("of 50,001 entries is read in pieces, each in little memory", () => {
    const one = (n: number) => `<url><loc>https://example.com/${n}</loc></url>`;
    const body = urlset(Array.from({ length: 50_001 }, (_, n) => one(n)).join("\n"));
    const whole = read(body, { size: 65_536 });
    expect(whole.entries).toHaveLength(50_001);
    expect(whole.entries.at(-1)?.url).toBe("https://example.com/50000");
    expect(whole.isCutShort).toBe(false);
  });

  test.each([
    ["a comment", `<!--${"x".repeat(300_000)}-->`],
    ["a processing instruction", `<?x ${"x".repeat(300_000)}?>`],
    ["an element of its own", `<x:y>${"x".repeat(300_000)}</x:y>`],
    ["an entry without a place", `<url><image>${"x".repeat(300_000)}</image></url>`],
    ["an entry whose place is endless", `<url><loc>${"x".repeat(300_000)}</loc></url>`],
  ])("goes on behind %s without an end in sight", (_, junk) => {
    const one = (n: number) => `<url><loc>https://example.com/${n}</loc></url>`;
    const whole = read(urlset(one(1) + junk + one(2)), { size: 16_384 });
    expect(urlsOf(whole)).toEqual(["https://example.com/1", "https://example.com/2"]);
  });

  test("that is cut short says so, and gives what was whole", () => {
    const whole = read(`<urlset><url><loc>https://example.com/1</loc></url><url><loc>https://ex`);
    expect(whole).toMatchObject({ what: "urls", isCutShort: true });
    expect(urlsOf(whole)).toEqual(["https://example.com/1"]);
  });

  test.each([
    ["a page", "<!doctype html><html><body><a href='/x'>x</a></body></html>"],
    ["a robots.txt", "User-agent: *\nDisallow: /x\nSitemap: /robots.txt\n"],
    ["nothing", ""],
    ["blanks", " ".repeat(100_000)],
    ["JSON", '{"urls":["https://example.com/"]}'],
  ])("is not what %s is", (_, body) => {
    expect(read(body, { size: 4_096 })).toMatchObject({ what: "other", entries: [] });
  });

  test("in UTF-16 without a mark, in windows-1252 and in Shift_JIS", () => {
    const body = urlset("<url><loc>https://example.com/café</loc></url>");
    const wide = Uint8Array.from(Buffer.from(body, "utf16le"));
    const narrow = Uint8Array.from(Buffer.from(body, "latin1"));
    for (const bytes of [wide, narrow]) {
      expect(urlsOf(read(bytes, { size: 50 }))).toEqual(["https://example.com/caf%C3%A9"]);
    }
    const head = new TextEncoder().encode(
      '<?xml version="1.0" encoding="Shift_JIS"?><urlset><url>',
    );
    const tail = new TextEncoder().encode("</loc></url></urlset>");
    const kanji = [...new TextEncoder().encode("<loc>https://example.com/"), 0x93, 0xfa];
    const bytes = Uint8Array.from([...head, ...kanji, ...tail]);
    expect(urlsOf(read(bytes, { size: 9 }))).toEqual(["https://example.com/%E6%97%A5"]);
  });
});
