import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { silentLog } from "../../src/log.ts";
import { answer } from "../../src/search/answer.ts";
import { settled } from "../../src/search/degrade.ts";
import type { Candidate } from "../../src/search/document.ts";
import { askedAt } from "../../src/search/freshness.ts";
import { openIndex } from "../../src/search/open.ts";
import type { CandidateSource, SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { createScorer } from "../../src/search/score.ts";
import { type SearchRequest, search } from "../../src/search/search.ts";
import { SIGNALS, type Signal } from "../../src/search/signals.ts";
import { remembering } from "../../src/search/sqlite/choose.ts";
import { publicSite } from "../support/public-site.ts";
import { analysisOf, documentOf } from "./documents.ts";
import { plainScore } from "./plain-score.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const DAY_MS = 86_400_000;
const DOCUMENTS = 150;
const WORDS = ["amber", "birch", "cedar", "damson", "elder"];
const EVERYWHERE = { near: [], isRegion: true, isElsewhere: false };
const dataDir = mkdtempSync(join(tmpdir(), "trawl-broken-"));
let index: SearchIndex;

beforeAll(async () => {
  index = await openIndex({ dataDir, log: silentLog });
  const puts = Array.from({ length: DOCUMENTS }, (_, at) => {
    const words = WORDS.filter((_word, nth) => (at * 7 + nth * nth) % 3 !== 0);
    const publishedAt = at % 4 === 0 ? null : new Date(NOW - (at % 90) * DAY_MS);
    return index.put(
      documentOf({
        ...{ id: at + 1, host: `h${at % 9}.example`, lang: null, publishedAt, simhash: null },
        ...{
          title: words.slice(0, at % 3).join(" "),
          text: `${words.join(" ")} ${"fill ".repeat(at)}`,
        },
        ...{ linkDensity: (at % 10) / 10, regionScore: (at % 8) / 8 },
      }),
    );
  });
  await Promise.all(puts);
  const ranks = Array.from({ length: 9 }, (_, at) => ({
    ...{ host: `h${at}.example`, authority: at / 9, region: 1 - at / 9 },
  }));
  await index.rankHosts(ranks);
  await index.close();
  index = await openIndex({ dataDir, log: silentLog });
});
afterAll(async () => {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Fails = (candidate: Candidate) => boolean;

/** The table with some signals that throw, for the documents of which `fails` says so. */
const breaking = (names: readonly string[], fails: Fails): Signal[] =>
  SIGNALS.map((signal) => ({
    ...signal,
    value: !names.includes(signal.name)
      ? signal.value
      : (query, candidate) => {
          if (fails(candidate)) throw new Error("broken");
          return signal.value?.(query, candidate) ?? null;
        },
  }));

/** An index that scores with that table, as one does that chooses its candidates by score(). */
const scoringWith = (table: readonly Signal[]): CandidateSource => ({
  backend: index.backend,
  async candidates(query, filter) {
    const found = await index.candidates(query, filter);
    return { ...found, scorer: remembering(createScorer(query, found, {}, table)) };
  },
  texts: (ids) => index.texts(ids),
  summaries: (ids) => index.summaries(ids),
  words: (prefix, limit) => index.words(prefix, limit),
  similar: (word, limit) => index.similar(word, limit),
});

const asking = (request: SearchRequest): SearchRequest => ({
  ...{ ...request, places: EVERYWHERE, askedAt: askedAt(NOW) },
});

interface Answer {
  degraded: string[];
  hits: { score: number }[];
}

async function ofApi(
  path: string,
  find: (request: SearchRequest) => ReturnType<typeof answer>,
): Promise<Answer> {
  const site = publicSite({ search: async (own) => ({ ...(await find(own)), tookMs: 0 }) });
  const response = await site.ask(path);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

const PATHS = [
  "/api/search?q=amber&explain=1",
  "/api/search?q=amber+birch+cedar+damson+elder&explain=1&per_page=100&collapse=none",
  "/api/search?q=h3.example&explain=1",
  "/api/search?q=damson&sort=date&explain=1",
  "/api/search?q=host+h3+elder&explain=1&page=2",
];
const NAMES = SIGNALS.map(({ name }) => name);
const SUBSETS = [...NAMES.map((name) => [name]), ["quality", "freshness"], [...NAMES]];
const FAILING: [what: string, Fails][] = [
  ["every document", () => true],
  ["one in eleven", ({ id }) => id % 11 === 0],
];

describe.each(FAILING)("a signal that throws for %s", (_, fails) => {
  test.each(SUBSETS.map((names) => [names]))(
    "%j is named in `degraded`, and the answer is that without it",
    async (...[names]) => {
      const source = scoringWith(breaking(names, fails));
      const off = { enabled: false, weight: 1 };
      const ranking = Object.fromEntries(names.map((name) => [name, off]));
      for (const path of PATHS) {
        const broken = await ofApi(path, (request) => answer(source, asking(request), {}));
        const without = await ofApi(path, (request) =>
          search(index, asking(request), { ranking, today: () => NOW }),
        );
        expect(broken.degraded.sort()).toEqual(names.map(snakeCase).sort());
        expect({ ...broken, degraded: [] }).toEqual({ ...without, degraded: [] });
        expect(without.hits.length).toBeGreaterThan(0);
      }
    },
  );
});

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (own) => `_${own.toLowerCase()}`);

/** What a broken signal may say of a document. */
const said = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, -1, 1e300, null),
  fc.constant("throws" as const),
);
const saying = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.array(said, { minLength: 5, maxLength: 5 }),
);
const weighing = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.double({ min: 0, max: 10, noNaN: true }),
);

test("whatever signals say, scores are within their bounds and as the formula has them", () => {
  const corpus = {
    ...{ df: new Map(), documents: 10 },
    averageLengths: { title: 2, headings: 2, body: 9, anchors: 1, host: 2, path: 2 },
  };
  fc.assert(
    fc.property(saying, weighing, (sayings, weights) => {
      const table = SIGNALS.map((signal) => ({
        ...signal,
        value: (_query: unknown, { id }: Candidate) => {
          const own = sayings[signal.name]?.[id] ?? null;
          if (own === "throws") throw new Error("broken");
          return own;
        },
      }));
      const ranking = Object.fromEntries(
        Object.entries(weights).map(([name, weight]) => [name, { enabled: true, weight }]),
      );
      const query = parseQuery("amber");
      const scorer = createScorer(query, corpus, ranking, table);
      const all = settled(scorer, () => CANDIDATES.map((own) => scorer.score(own)!));
      const failed = NAMES.filter((name) => sayings[name]?.includes("throws"));
      expect([...scorer.degraded].sort()).toEqual([...failed].sort());
      for (const { candidate, score, breakdown } of all) {
        const values: Record<string, number> = {};
        for (const { name, neutral, min, max } of SIGNALS) {
          const own = sayings[name]?.[candidate.id];
          const isSaid = typeof own === "number" && !Number.isNaN(own) && !failed.includes(name);
          values[name] = isSaid ? Math.min(Math.max(own, min), max) : neutral;
          expect(breakdown[name]).toBe(values[name]);
        }
        const weighed = SIGNALS.map((own) => ({ ...own, weight: weights[own.name] ?? own.weight }));
        expect(score).toBeCloseTo(plainScore(breakdown.text, values, weighed), 6);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(score)).toBe(true);
      }
    }),
  );
});

const CANDIDATES: readonly Candidate[] = Array.from({ length: 5 }, (_, id) => ({
  ...{ id, url: "https://a.example/", host: "a.example", lang: null, title: "amber" },
  ...{ publishedAt: null, crawledAt: 0, simhash: null, words: 9, linkDensity: 0, authority: null },
  ...{ regionScore: null, regionHost: null, locations: null },
  forward: forwardOf("amber birch"),
}));

function forwardOf(text: string): Uint8Array {
  return analysisOf(documentOf({ id: 1, text, lang: null })).forward;
}
