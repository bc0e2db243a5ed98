import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { silentLog } from "../../src/log.ts";
import type { Ranking, SignalName } from "../../src/ranking.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { search } from "../../src/search/search.ts";
import { SIGNALS } from "../../src/search/signals.ts";
import { documentOf } from "./documents.ts";
import { hasWord, type PlainDocument, plainScore, plainSignals, plainText } from "./plain-score.ts";

/*
 * Any documents, any words, any signals off, alone and together, in the index itself: the same
 * documents are found, and stand as the formula has it, worked out once more in plain-score.ts.
 */

const dataDir = mkdtempSync(join(tmpdir(), "trawl-signals-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** No stopwords, and none begins another one: what is not there is completed by nothing. */
const WORDS = ["amber", "birch", "cedar", "damson", "elder", "fennel", "ginger", "hazel"];
const NOW = Date.UTC(2026, 5, 1, 12);
const DAY_MS = 86_400_000;
const HOSTS = 7;
const EVERYWHERE = { near: [], isRegion: true, isElsewhere: false };
const NAMES: readonly SignalName[] = ["text", ...SIGNALS.map(({ name }) => name)];

const part = fc.double({ min: 0, max: 1, noNaN: true });
const some = (max: number) => fc.array(fc.constantFrom(...WORDS), { maxLength: max });
const document = fc.record({
  title: some(5),
  headings: some(6),
  body: fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.constant("filler")), { maxLength: 60 }),
  linkDensity: part,
  ageDays: fc.option(fc.integer({ min: 0, max: 200 })),
  regionPage: fc.option(part),
});
const host = fc.record({ authority: part, regionHost: fc.option(part) });
const collection = fc
  .tuple(
    fc.array(document, { minLength: 5, maxLength: 60 }),
    fc.array(host, { minLength: HOSTS, maxLength: HOSTS }),
  )
  .map(([own, hosts]) => own.map((each, at) => ({ id: at + 1, ...each, ...hosts[at % HOSTS]! })));
const question = fc.record({
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }),
  off: fc.subarray([...NAMES]),
  weights: fc.dictionary(fc.constantFrom(...NAMES), fc.double({ min: 0, max: 4, noNaN: true })),
});

let opened = 0;

/** Filled, and opened anew: by then df is written. */
async function indexOf(all: readonly PlainDocument[]): Promise<SearchIndex> {
  const own = { dataDir: join(dataDir, `${++opened}`), log: silentLog };
  const index = await openIndex(own);
  const puts = all.map((each) => {
    const publishedAt = each.ageDays === null ? null : new Date(NOW - each.ageDays * DAY_MS);
    return index.put(
      documentOf({
        ...{ id: each.id, host: hostOf(each.id), lang: null, publishedAt },
        ...{ title: each.title.join(" "), headings: each.headings.join(" ") },
        ...{ text: each.body.join(" "), linkDensity: each.linkDensity },
        ...{ regionScore: each.regionPage, simhash: null },
      }),
    );
  });
  const ranks = all
    .slice(0, HOSTS)
    .map(({ id, authority, regionHost: region }) => ({ host: hostOf(id), authority, region }));
  puts.push(index.rankHosts(ranks));
  expect(new Set((await Promise.all(puts)).map(({ kind }) => kind))).toEqual(new Set(["stored"]));
  await index.close();
  return openIndex(own);
}

const hostOf = (id: number): string => `h${(id - 1) % HOSTS}.example`;

type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

async function checkAnswer(
  index: SearchIndex,
  all: readonly PlainDocument[],
  { words, off, weights }: Question,
): Promise<void> {
  const ranking: Ranking = Object.fromEntries(
    NAMES.filter((name) => off.includes(name) || weights[name] !== undefined).map((name) => {
      const weight = weights[name] ?? 1;
      return [name, { enabled: !off.includes(name), weight }];
    }),
  );
  const { hits, total, degraded } = await search(
    index,
    {
      ...{ query: words.join(" "), page: 1, perPage: 100, sort: "relevance", collapse: "none" },
      ...{ explain: true, places: EVERYWHERE },
    },
    { ranking, today: () => NOW },
  );
  const matching = all.filter((each) => words.some((word) => hasWord(each, word)));
  const ids = matching.map(({ id }) => id);
  expect(hits.map(({ id }) => id).sort((one, other) => one - other)).toEqual(ids);
  expect([total, degraded]).toEqual([ids.length, []]);
  const signals = SIGNALS.filter(({ name }) => !off.includes(name)).map((signal) => ({
    ...signal,
    weight: ranking[signal.name]?.weight ?? signal.weight,
  }));
  for (const [at, { id, score, explain }] of hits.entries()) {
    const own = all[id - 1]!;
    const text = off.includes("text") ? 1 : plainText(all, own, words);
    const values = plainSignals(own);
    for (const { name, neutral } of SIGNALS) {
      expect(explain![name]).toBeCloseTo(off.includes(name) ? neutral : values[name]!, 9);
    }
    expect(explain!.text).toBeCloseTo(text, 9);
    expect(score).toBeCloseTo(plainScore(text, values, signals), 9);
    const before = hits[at - 1];
    if (before === undefined) continue;
    const isBefore = before.score > score || (before.score === score && before.id < id);
    expect(isBefore).toBe(true);
  }
}

test("any signals off: the same matches, in the order of the formula", async () => {
  const asked = fc.array(question, { minLength: 15, maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(collection, asked, async (all, questions) => {
      const index = await indexOf(all);
      try {
        for (const each of questions) await checkAnswer(index, all, each);
      } finally {
        await index.close();
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 120_000);

test("each signal off alone, and all of them together, so that BM25 stands alone", async () => {
  const [all] = fc.sample(collection, { numRuns: 1, seed: 5 });
  const index = await indexOf(all!);
  const rest = NAMES.slice(1);
  for (const off of [...NAMES.map((name) => [name]), rest, [...NAMES]]) {
    for (const words of [["amber"], ["birch", "cedar"], [...WORDS]]) {
      await checkAnswer(index, all!, { words, off, weights: {} });
    }
  }
  await index.close();
}, 60_000);
