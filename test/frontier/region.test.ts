import { expect, test } from "bun:test";
import { regionScoreOfHost, standingOf, thousandths } from "../../src/frontier/region.ts";

test.each<[sum: number, count: number, score: number]>([
  [0, 0, 0.5],
  [1_000, 1, 3.5 / 6],
  [0, 5, 0.25],
  [95_000, 95, 0.975],
])("%d thousandths of %d documents are a host's %d", (regionSum, regionCount, score) => {
  expect(regionScoreOfHost({ regionSum, regionCount })).toBeCloseTo(score, 9);
});

test.each<[scores: number[], standing: string]>([
  [[], "probation"],
  [[0.9, 0.9], "probation"],
  [[0.5, 0.5, 0.5], "in"],
  [[0.4, 0.5, 0.5], "probation"],
  [[0.1, 0.1, 0.1, 0.1], "probation"],
  [[0.1, 0.1, 0.1, 0.1, 0.1], "out"],
  [[0.9, 0.9, 0.9, 0, 0], "in"],
  [[0.9, 0.9, 0.6, 0, 0], "out"],
])("a host whose pages score %p is %s", (scores, standing) => {
  const regionSum = scores.reduce((sum, score) => sum + thousandths(score), 0);
  expect(standingOf({ regionSum, regionCount: scores.length }) as string).toBe(standing);
});
