import { describe, expect, test } from "bun:test";
import type { ResponseHead } from "../../src/fetch/head.ts";
import {
  codingsOf,
  contentTypeOf,
  locationOf,
  maxAgeOf,
  readHeaders,
  retryAfterMs,
} from "../../src/fetch/headers.ts";

const BASE = "https://a.example/dir/page";

function headWith(...fields: [string, string][]): ResponseHead {
  return { status: 200, fields, framing: { kind: "none" }, isPersistent: true };
}

describe("retryAfterMs", () => {
  const now = Date.UTC(2026, 10, 30, 10, 0, 0);
  const table: [value: string | null, ms: number | null, why: string][] = [
    [null, null, "not there"],
    ["0", 0, "seconds"],
    ["3", 3_000, "seconds"],
    ["86400", 86_400_000, "a day"],
    ["1.5", 1_500, "not allowed, but plain"],
    ["99999999999", 366 * 86_400_000, "more than any wait"],
    ["Mon, 30 Nov 2026 10:00:05 GMT", 5_000, "an HTTP date"],
    ["Monday, 30-Nov-26 10:00:05 GMT", 5_000, "the old form"],
    ["Mon Nov 30 10:00:05 2026", 5_000, "the oldest form"],
    ["Mon, 30 Nov 2026 09:00:00 GMT", 0, "past"],
    ["Mon, 30 Foo 2026 09:00:00 GMT", null, "no month"],
    ["-5", null, "negative"],
    ["5, 10", null, "two"],
    ["soon", null, "nonsense"],
    ["", null, "empty"],
    ["9".repeat(400), null, "no number of seconds"],
    ["2026-11-30T10:00:05Z", null, "not a date of HTTP"],
  ];
  test.each(table)("%p is %p (%s)", (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms);
  });
});

describe("contentTypeOf", () => {
  const table: [values: string[], essence: string | null, charset: string | null][] = [
    [[], null, null],
    [["text/html"], "text/html", null],
    [["Text/HTML; Charset=UTF-8"], "text/html", "utf-8"],
    [['text/html;charset="iso-8859-1"'], "text/html", "iso-8859-1"],
    [["text/html; foo=bar; charset = windows-1252 ; x"], "text/html", "windows-1252"],
    [["text/html; charset="], "text/html", null],
    [["text/html", "application/pdf"], "application/pdf", null],
    [["text/html", "nonsense"], "text/html", null],
    [["html"], null, null],
    [["text/ html"], null, null],
    [["text/html, text/plain"], "text/html", null],
    [[`text/html; charset=${"a".repeat(100)}`], "text/html", null],
  ];
  test.each(table)("%p", (values, essence, charset) => {
    const head = headWith(...values.map((value): [string, string] => ["content-type", value]));
    expect(contentTypeOf(head)).toEqual({ essence, charset });
  });
});

describe("codingsOf", () => {
  const table: [value: string, codings: string[] | null][] = [
    ["", []],
    ["identity", []],
    ["gzip", ["gzip"]],
    ["X-GZIP", ["gzip"]],
    ["gzip, br", ["gzip", "br"]],
    ["deflate,,zstd", ["deflate", "zstd"]],
    ["x-foo", null],
    ["gzip, x-foo", null],
  ];
  test.each(table)("%p", (value, codings) => {
    expect(codingsOf(headWith(["content-encoding", value]))).toEqual(codings as never);
  });
});

describe("maxAgeOf", () => {
  const table: [values: string[], seconds: number | null][] = [
    [[], null],
    [["public"], null],
    [["max-age=60"], 60],
    [["Public, Max-Age=3600", "s-maxage=5"], 3_600],
    [["max-age=60, no-store"], 0],
    [["no-cache"], 0],
    [["max-age=-1"], null],
    [["max-age=soon"], null],
    [["max-age=99999999999999"], null],
  ];
  test.each(table)("%p", (values, seconds) => {
    expect(maxAgeOf(values)).toBe(seconds);
  });
});

describe("locationOf", () => {
  const table: [value: string, location: string | null, why: string][] = [
    ["other", "https://a.example/dir/other", "relative"],
    ["//b.example/", "https://b.example/", "of the same scheme"],
    ["/caf\xe9", "https://a.example/caf%E9", "a byte stands for itself"],
    ["/caf\xc3\xa9", "https://a.example/caf%C3%A9", "UTF-8 unescaped"],
    ["http://\xc3\xa9.example/", "http://xn--9ca.example/", "a name in UTF-8"],
    ["", null, "empty"],
    ["http://[", null, "no URL"],
    ["http://b.example/%0d%0aSet-Cookie:x=y", "http://b.example/%0d%0aSet-Cookie:x=y", "escaped"],
    ["file:///etc/passwd", "file:///etc/passwd", "the guard judges, not the header"],
  ];
  test.each(table)("%p is %p (%s)", (value, location) => {
    expect(locationOf(headWith(["location", value]), BASE)).toBe(location);
  });

  test("a missing one is null", () => {
    expect(locationOf(headWith(), BASE)).toBeNull();
  });
});

describe("readHeaders", () => {
  test("reads what the crawl needs", () => {
    const head = headWith(
      ["etag", 'W/"a"'],
      ["last-modified", "Mon, 30 Nov 2026 10:00:00 GMT"],
      ["cache-control", "max-age=60"],
      ["x-robots-tag", "noindex"],
      ["x-robots-tag", "otherbot: nofollow"],
      ["content-language", "fr-CA"],
      ["tdm-reservation", "1"],
      ["link", '</style.css>; rel=preload, </real?x=1>; title="a; b"; rel="nofollow canonical"'],
    );
    expect(readHeaders(head, BASE)).toEqual({
      etag: 'W/"a"',
      lastModified: "Mon, 30 Nov 2026 10:00:00 GMT",
      maxAgeS: 60,
      robotsTag: ["noindex", "otherbot: nofollow"],
      contentLanguage: "fr-CA",
      tdmReservation: "1",
      canonical: "https://a.example/real?x=1",
    });
  });

  test("over-long and unsendable validators are none", () => {
    const head = headWith(["etag", `"${"a".repeat(600)}"`], ["last-modified", "a\x01b"]);
    expect(readHeaders(head, BASE)).toMatchObject({ etag: null, lastModified: null });
  });

  test.each([
    "<",
    "<>",
    "<a>; rel=",
    "< a>;;; rel",
    `<a>${" ".repeat(60_000)}`,
    ";".repeat(60_000),
  ])("a broken Link says nothing, at once", (value) => {
    const startedAt = performance.now();
    expect(readHeaders(headWith(["link", value]), BASE).canonical).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
