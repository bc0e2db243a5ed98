import { describe, expect, test } from "bun:test";
import { median, spread } from "./figures.ts";

describe("median", () => {
  const cases: [number[], number][] = [
    [[3], 3],
    [[9, 1, 5], 5],
    [[100, 20, 3], 20],
    [[4, 1, 3, 2], 2],
  ];
  test.each(cases)("of %p is %p", (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  test("of nothing is no figure", () => {
    expect(() => median([])).toThrow("nothing was measured");
  });
});

describe("spread", () => {
  test("tells the least value that a share does not exceed, whatever the order", () => {
    const values = Array.from({ length: 100 }, (_, n) => 100 - n);
    expect(spread(values)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 });
  });

  test("of few values: the percentiles above all are the greatest", () => {
    expect(spread([7, 1])).toEqual({ count: 2, p50: 1, p95: 7, p99: 7, max: 7 });
  });

  test("of nothing counts nothing", () => {
    expect(spread([]).count).toBe(0);
  });
});
