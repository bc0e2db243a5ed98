import { describe, expect, test } from "bun:test";
import { flatness } from "./flatness.ts";

const mark = (pages: number, seconds: number, program_mb = 300) => ({
  pages,
  seconds,
  cpu_seconds: seconds * 2,
  program_mb,
  all_mb: program_mb + 200,
});

describe("flatness", () => {
  test("is 1 where each window takes as long", () => {
    const flat = flatness([mark(100, 1), mark(200, 2), mark(300, 3), mark(400, 4)]);
    expect(flat).toMatchObject({ ratio: 1, cpu_ratio: 1 });
    expect(flat.windows.map((window) => window.pages_per_second)).toEqual([100, 100, 100, 100]);
  });

  test("is the second half over the first: below 1 where it slows", () => {
    const slowing = flatness([mark(100, 1), mark(200, 2), mark(300, 4), mark(400, 6, 450)]);
    expect(slowing.ratio).toBe(0.5);
    expect(slowing.windows.map((window) => window.pages_per_second)).toEqual([100, 100, 50, 50]);
    expect([slowing.half.program_mb, slowing.end.program_mb]).toEqual([300, 450]);
  });

  test("counts pages that came between two looks where they belong", () => {
    const { ratio, windows } = flatness([mark(130, 1.3), mark(200, 2)]);
    expect([ratio, windows[1]!.pages_per_second]).toEqual([1, 100]);
  });

  test("has no second half of one window", () => {
    expect(() => flatness([mark(100, 1)])).toThrow("two windows");
  });
});
