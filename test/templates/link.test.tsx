/** @jsxRuntime automatic @jsxImportSource preact */
import { describe, expect, test } from "bun:test";
import { renderToString } from "preact-render-to-string";
import { bytes, count, duration, rate, relative, stamp } from "../../templates/format.ts";
import { isWebUrl, Link } from "../../templates/link.tsx";
import { parsed } from "../support/html.ts";

describe("Link", () => {
  const cases = [
    ["https://a.example/x?y=1&z=2", true],
    ["http://a.example", true],
    ["HTTPS://A.EXAMPLE/", true],
    ["javascript:alert(1)", false],
    ["java\tscript:alert(1)", false],
    [" javascript:alert(1)", false],
    ["\u0001javascript:alert(1)", false],
    ["data:text/html,<script>alert(1)</script>", false],
    ["vbscript:x", false],
    ["blob:https://a.example/x", false],
    ["//evil.test/", false],
    ["/admin/hosts/1/forget", false],
    ["https://", false],
    ["https://a b/", false],
    ["", false],
  ] as const;
  test.each(cases)("%j is a link: %p", (href, expected) => {
    expect(isWebUrl(href)).toBe(expected);
    const page = parsed(renderToString(<Link href={href} />));
    const link = page.querySelector("a");
    expect(link?.getAttribute("href") ?? null).toBe(expected ? href : null);
    if (expected) expect(link?.getAttribute("rel")).toBe("noopener noreferrer nofollow ugc");
    expect(page.body.textContent).toBe(href);
  });
});

describe("numbers and times", () => {
  test.each([
    [count(1_234_567), "1,234,567"],
    [count(0), "0"],
    [count(null), "–"],
    [count(Number.NaN), "–"],
    [rate(12.34), "12.3"],
    [rate(0), "0.0"],
    [duration(0), "0 ms"],
    [duration(999), "999 ms"],
    [duration(1_500), "1.5 s"],
    [duration(59_000), "59 s"],
    [duration(180_000), "3 min"],
    [duration(7_500_000), "2 h 5 min"],
    [duration(86_400_000), "24 h"],
    [duration(270_000_000), "3 d 3 h"],
    [duration(-1_500), "-1.5 s"],
    [duration(null), "–"],
    [bytes(0), "0 B"],
    [bytes(999), "999 B"],
    [bytes(1_234), "1.2 kB"],
    [bytes(123_456_789), "123 MB"],
    [bytes(999_999), "1 MB"],
    [stamp(new Date(0)), "1970-01-01 00:00:00 UTC"],
    [relative(new Date(5_000), new Date(0)), "in 5 s"],
    [relative(new Date(0), new Date(500)), "now"],
    [relative(new Date(0), new Date(7_200_000)), "2 h ago"],
    [relative(new Date(0), new Date(59_900)), "59 s ago"],
  ])("%s is %s", (got, expected) => {
    expect(got).toBe(expected);
  });
});
