import { expect, test } from "bun:test";
import fc from "fast-check";
import { sortByKey, sortDistinct } from "../../src/text/sort.ts";

/** Of hashes, and of numbers that somebody chose: those fall into few buckets. */
const keys = fc.oneof(
  fc.array(fc.oneof(fc.integer(), fc.integer({ min: 0, max: 300 })), { maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 200, maxLength: 400 }),
);

test("keys come in order as unsigned numbers, values with them, equal ones as they were", () => {
  fc.assert(
    fc.property(keys, fc.nat(5), (given, more) => {
      const sorted = Int32Array.from([...given, ...new Array<number>(more).fill(-1)]);
      const places = Int32Array.from(sorted.keys());
      sortByKey(sorted, places, given.length);
      const expected = given
        .map((key, place) => ({ key, place }))
        .sort((a, b) => (a.key >>> 0) - (b.key >>> 0) || a.place - b.place);
      const found = expected.map((_, at) => ({ key: sorted[at]!, place: places[at]! }));
      expect(found).toEqual(expected);
    }),
  );
});

test("distinct keys are left once each, in order", () => {
  fc.assert(
    fc.property(keys, (given) => {
      const numbers = given.map((key) => key & 0xffffff);
      const sorted = Int32Array.from(numbers);
      const left = sortDistinct(sorted, sorted.length);
      const expected = [...new Set(numbers)].sort((a, b) => a - b);
      expect([...sorted.subarray(0, left)]).toEqual(expected);
    }),
  );
});

test("more keys than ever before are sorted too", () => {
  const many = Int32Array.from({ length: 50_000 }, (_, at) => (at * 7919) & 0xffffff);
  const expected = [...new Set(many)].sort((a, b) => a - b);
  const left = sortDistinct(many, many.length);
  expect([...many.subarray(0, left)]).toEqual(expected);
});

test("keys that somebody chose are sorted in time that grows with their number", () => {
  const count = 50_000;
  const chosen = Int32Array.from({ length: count }, (_, at) => count - at);
  const places = Int32Array.from(chosen.keys());
  const began = performance.now();
  sortByKey(chosen, places, count);
  expect([chosen[0], places[0], chosen[count - 1]]).toEqual([1, count - 1, count]);
  const again = Int32Array.from({ length: count }, (_, at) => count - at);
  expect(sortDistinct(again, count)).toBe(count);
  expect([again[0], again[count - 1]]).toEqual([1, count]);
  expect(performance.now() - began).toBeLessThan(500);
});
