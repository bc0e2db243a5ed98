import { expect, test } from "bun:test";
import { correct } from "../../src/search/correct.ts";
import type { CandidateSet, CandidateSource } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";

const NOTHING = { candidates: [], df: new Map() } as unknown as CandidateSet;

/** Letters alone, so that each may be mistyped. */
const words = Array.from(
  { length: 32 },
  (_, at) => `zqx${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}vw`,
);

test("a query of many unknown words asks for the neighbours of a few, found or not", async () => {
  let asked = 0;
  const similar = async () => {
    asked++;
    return [];
  };
  const index = { similar } as unknown as CandidateSource;
  const { didYouMean } = await correct(index, parseQuery(words.join(" ")), NOTHING);
  expect(didYouMean).toBeNull();
  expect(asked).toBe(4);
});
