import { expect, test } from "bun:test";
import { mean, measure } from "./measures.ts";

test("measures of rankings worked out by hand", () => {
  const relevant = new Set(["a", "b"]);
  expect(measure({ ranking: ["a", "b"], relevant })).toEqual({
    ndcg10: 1,
    averagePrecision: 1,
    reciprocalRank: 1,
    recall100: 1,
  });
  const late = measure({ ranking: ["x", "a", "y"], relevant });
  expect(late.ndcg10).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 10);
  expect(late).toMatchObject({ averagePrecision: 0.25, reciprocalRank: 0.5, recall100: 0.5 });
  expect(measure({ ranking: [], relevant }).ndcg10).toBe(0);
  const far = [...Array.from({ length: 10 }, (_, at) => `x${at}`), "a"];
  expect(measure({ ranking: far, relevant })).toMatchObject({ ndcg10: 0, recall100: 0.5 });
  const both = [measure({ ranking: ["a"], relevant }), measure({ ranking: [], relevant })];
  expect(mean(both).recall100).toBe(0.25);
});
