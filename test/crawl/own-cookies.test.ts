import { describe, expect, test } from "bun:test";
import { OwnCookies } from "../../src/crawl/own-cookies.ts";
import type { Redirected } from "../../src/fetch/outcome.ts";

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const PAGE = { id: 1, url: "https://a.example/page" };
const WHEN = { now: NOW, gapMs: 1_000 };

function redirect(location: string | null, cookies: string | null = "seen=1"): Redirected {
  return {
    kind: "redirected",
    status: 302,
    location,
    cookies,
    timing: { startedAt: 0, endedAt: 0 },
  };
}

/** why, answer, is it worth asking again */
const ROWS: [why: string, Redirected, boolean][] = [
  ["to itself, with a cookie", redirect(PAGE.url), true],
  ["to itself, but for a fragment", redirect(`${PAGE.url}#top`), true],
  ["to itself, but for what admission takes off", redirect(`${PAGE.url}?utm_source=x`), true],
  ["to itself, in other letters", redirect("HTTPS://A.example:443/page"), true],
  ["to itself, and nothing is set", redirect(PAGE.url, null), false],
  ["to another page", redirect("https://a.example/other"), false],
  ["to the same page of another scheme", redirect("http://a.example/page"), false],
  ["to the same page of another host", redirect("https://b.example/page"), false],
  ["to nowhere", redirect(null), false],
];

describe("OwnCookies", () => {
  test.each(ROWS)("%s", (_why, answer, expected) => {
    const cookies = new OwnCookies();
    expect(cookies.keep(PAGE, answer, WHEN)).toBe(expected);
    expect(cookies.of(PAGE.id, NOW + 1_000)).toBe(expected ? "seen=1" : null);
    expect(cookies.of(2, NOW)).toBeNull();
  });

  test("are over in time, and when the second answer is there", () => {
    const cookies = new OwnCookies();
    cookies.keep(PAGE, redirect(PAGE.url), { now: NOW, gapMs: 24 * HOUR_MS });
    expect(cookies.of(PAGE.id, NOW + 24 * HOUR_MS)).toBe("seen=1");
    expect(cookies.of(PAGE.id, NOW + 26 * HOUR_MS)).toBeNull();
    cookies.keep(PAGE, redirect(PAGE.url), WHEN);
    cookies.forget(PAGE.id);
    expect(cookies.of(PAGE.id, NOW)).toBeNull();
  });

  test("of a thousand pages at most", () => {
    const cookies = new OwnCookies();
    for (let id = 1; id <= 1_500; id++) cookies.keep({ ...PAGE, id }, redirect(PAGE.url), WHEN);
    const kept = Array.from({ length: 1_500 }, (_, n) => cookies.of(n + 1, NOW) !== null);
    expect(kept.filter(Boolean)).toHaveLength(1_000);
    expect(kept.at(-1)).toBe(true);
  });
});
