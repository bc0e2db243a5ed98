import { describe, expect, test } from "bun:test";
import { newlyLinked } from "../../src/crawl/discover.ts";
import { LinkedPairs } from "../../src/crawl/linked-pairs.ts";
import { type PackedPage, packResult } from "../../src/parse/packed.ts";
import { ManualClock } from "../support/clock.ts";
import { parseHtml } from "../support/parse.ts";

describe("pairs of hosts that were met", () => {
  test("what was added is known, of that host alone, until it is cleared", () => {
    const pairs = new LinkedPairs(new ManualClock());
    expect(pairs.has(1, "a.test")).toBe(false);
    pairs.add(1, "a.test", true);
    expect([pairs.has(1, "a.test"), pairs.has(2, "a.test"), pairs.has(1, "b.test")]).toEqual([
      true,
      false,
      false,
    ]);
    pairs.clear();
    expect(pairs.has(1, "a.test")).toBe(false);
  });

  test("a host that the store did not know is asked for again after ten minutes", () => {
    const clock = new ManualClock();
    const pairs = new LinkedPairs(clock);
    pairs.add(1, "a.test", false);
    pairs.add(1, "b.test", true);
    expect(pairs.has(1, "a.test")).toBe(true);
    clock.jump(599_000);
    pairs.add(1, "c.test", false);
    expect(pairs.has(1, "a.test")).toBe(true);
    clock.jump(1_000);
    expect([pairs.has(1, "a.test"), pairs.has(1, "b.test")]).toEqual([false, true]);
    pairs.add(1, "d.test", false);
    expect([pairs.has(1, "a.test"), pairs.has(1, "d.test")]).toEqual([false, true]);
  });

  test("of 100,000 pairs hardly one is forgotten, and none is taken for another", () => {
    const pairs = new LinkedPairs(new ManualClock());
    for (let at = 0; at < 100_000; at++) pairs.add(at % 100, `h${at}.test`, true);
    let [there, others] = [0, 0];
    for (let at = 0; at < 100_000; at++) {
      if (pairs.has(at % 100, `h${at}.test`)) there++;
      if (pairs.has(at % 100, `x${at}.test`)) others++;
    }
    expect(there).toBeGreaterThan(85_000);
    expect(others).toBe(0);
  });
});

describe("hosts that a page newly links to", () => {
  const packed = async (html: string) => packResult(await parseHtml(html)) as PackedPage;

  test("are those that were not met yet", async () => {
    const pairs = new LinkedPairs(new ManualClock());
    const page = await packed(`<a href="/x">x</a><a href="https://b.example/1">b</a>
      <a href="https://c.example/">c</a><a href="https://b.example/2">b</a>`);
    expect(newlyLinked({ pairs }, page, 7)).toEqual(["b.example", "c.example"]);
    pairs.add(7, "b.example", true);
    expect(newlyLinked({ pairs }, page, 7)).toEqual(["c.example"]);
    expect(newlyLinked({ pairs }, page, 8)).toEqual(["b.example", "c.example"]);
  });

  test("are none of a page that says nofollow, or has no others", async () => {
    const pairs = new LinkedPairs(new ManualClock());
    const said = `<meta name="robots" content="nofollow"><a href="https://b.example/">b</a>`;
    expect(newlyLinked({ pairs }, await packed(said), 7)).toEqual([]);
    expect(newlyLinked({ pairs }, await packed(`<a href="/x">x</a>`), 7)).toEqual([]);
  });
});
