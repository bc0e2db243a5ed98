import { describe, expect, test } from "bun:test";
import { SIGNALS } from "../../src/search/signals.ts";
import { readCacm } from "./collection.ts";
import { measureDirectly } from "./direct.ts";
import { meanOf, measure } from "./measures.ts";

const off = { enabled: false, weight: 0 };
const cacm = readCacm();

describe.skipIf(cacm === null)("CACM, put into the index directly", () => {
  test("is read whole", () => {
    expect(cacm!.documents).toHaveLength(3_204);
    expect(cacm!.topics).toHaveLength(52);
    const [first] = cacm!.documents;
    expect(first!.title).toBe("Preliminary Report-International Algebraic Language");
    expect(first!.text).toEndWith("CA581203 JB March 22, 1978 8:28 PM");
  });

  test("is answered no worse with the signals than by its words alone", async () => {
    const alone = Object.fromEntries(SIGNALS.map(({ name }) => [name, off]));
    const measured = await measureDirectly(cacm!, { defaults: {}, alone: { ranking: alone } });
    console.log(JSON.stringify(measured));
    expect(measured.defaults.ndcg10).toBeGreaterThan(0.48);
    expect(measured.defaults.ndcg10).toBeGreaterThan(measured.alone.ndcg10 - 0.002);
    expect(measured.defaults.map).toBeGreaterThan(measured.alone.map - 0.002);
  });
});

test.each([
  [[1, 2], [1, 2], { ndcg10: 1, map: 1, mrr: 1, recall100: 1 }, "all, first"],
  [[9, 1], [1], { ndcg10: 1 / Math.log2(3), map: 0.5, mrr: 0.5, recall100: 1 }, "second"],
  [[9], [1], { ndcg10: 0, map: 0, mrr: 0, recall100: 0 }, "not at all"],
  [[], [1], { ndcg10: 0, map: 0, mrr: 0, recall100: 0 }, "nothing"],
  [
    [1, 9, 2],
    [1, 2],
    { ndcg10: 1.5 / (1 + 1 / Math.log2(3)), map: (1 + 2 / 3) / 2, mrr: 1, recall100: 1 },
    "with another between",
  ],
])("%j for %j: %j (%s)", (ranked, answers, expected) => {
  const measured = measure(ranked, new Set(answers));
  for (const [name, value] of Object.entries(expected)) {
    expect(measured[name as keyof typeof measured]).toBeCloseTo(value, 10);
  }
});

test("the mean is over questions", () => {
  const [one, none] = [measure([1], new Set([1])), measure([], new Set([1]))];
  expect(meanOf([one, none])).toEqual({ ndcg10: 0.5, map: 0.5, mrr: 0.5, recall100: 0.5 });
});
