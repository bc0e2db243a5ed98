import { describe, expect, test } from "bun:test";
import baseline from "./baseline.json";
import { roundOf, type Speed, verdictOf } from "./speed.ts";

const speedOf = (r: number): Speed => ({ r, rounds: [] });

describe("the verdict on speed", () => {
  const cases: [r: number, kind: "fast enough" | "slower"][] = [
    [0.2, "fast enough"],
    [0.1, "fast enough"],
    [0.07, "fast enough"],
    [0.0699, "slower"],
    [0, "slower"],
    [Number.NaN, "slower"],
  ];
  test.each(cases)("r %p against 0.1 is %p", (r, kind) => {
    expect(verdictOf(speedOf(r), { r: 0.1, cores: 2 }).kind).toBe(kind);
  });

  test("names what it compares", () => {
    const verdict = verdictOf(speedOf(0.05), { r: 0.1, cores: 2 });
    expect(verdict).toMatchObject({ detail: expect.stringContaining("r is 0.05, and was 0.1") });
  });

  test("is held against a kept r that a slower program can miss", () => {
    expect(baseline.r).toBeGreaterThan(0.01);
    expect(baseline.r).toBeLessThan(1);
  });
});

test("a round sets a crawl against the loop before and after it", () => {
  const round = roundOf(300, 2_000, 4_000);
  expect(round).toEqual({ pages_per_second: 300, bare_pages_per_second: 3_000, r: 0.1 });
});
