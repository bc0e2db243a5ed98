import { describe, expect, test } from "bun:test";
import { compare, orderOf, type Run } from "./comparison.ts";

const run = (pages_per_second: number): Run => ({
  pages_per_second,
  pages_per_cpu_second: pages_per_second,
  peak_program_mb: 100,
});

describe("a comparison", () => {
  test("takes the ratio within each round, then the middle one", () => {
    // The machine was half as fast in the second round: for both.
    const own = [run(1_000), run(500), run(900)];
    const { crawlee } = compare(own, { crawlee: [run(250), run(125), run(300)] });
    expect(crawlee!.rounds.map(({ ratio }) => ratio)).toEqual([4, 4, 3]);
    expect(crawlee).toMatchObject({ ratio: 4, pages_per_second: 250 });
  });

  test("says more than 1 where we are faster", () => {
    expect(compare([run(900)], { scrapy: [run(100)] }).scrapy!.ratio).toBe(9);
  });

  test("refuses rounds that one of them did not run", () => {
    expect(() => compare([run(1), run(1)], { scrapy: [run(1)] })).toThrow("every round");
  });
});

describe("the order of the rounds", () => {
  const crawlers = ["a", "b", "c"];
  const orders = Array.from({ length: 6 }, (_, nth) => orderOf(crawlers, nth).join(""));

  test("lets everyone be first, and everyone last", () => {
    expect(new Set(orders.map((order) => order[0])).size).toBe(3);
    expect(new Set(orders.map((order) => order[2])).size).toBe(3);
  });

  test("puts each once into each round, all six orders in six rounds", () => {
    expect(orders.map((order) => [...order].sort().join(""))).toEqual(Array(6).fill("abc"));
    expect(new Set(orders).size).toBe(6);
  });
});
