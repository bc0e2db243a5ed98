import { expect, test } from "bun:test";
import type { Ranking } from "../../src/ranking.ts";
import type { Candidate } from "../../src/search/document.ts";
import { packPlaces } from "../../src/search/places.ts";
import { parseQuery } from "../../src/search/query.ts";
import { type Corpus, createScorer } from "../../src/search/score.ts";
import { quality, SIGNALS } from "../../src/search/signals.ts";
import { analysisOf, documentOf, type Given } from "./documents.ts";

const CORPUS: Corpus = {
  df: new Map([
    ["tram", 50],
    ["trams", 20],
    ["rare", 2],
    ["common", 900],
    ["lisbon", 10],
  ]),
  documents: 1_000,
  averageLengths: { title: 3, headings: 5, body: 10, anchors: 0, host: 2, path: 2 },
};

function candidateOf(given: Omit<Given, "id"> & { id?: number }): Candidate {
  const document = documentOf({ id: 1, ...given });
  const { id, url, host, lang, title, simhash, linkDensity } = document;
  const common = { id, url, host, lang, title, simhash, linkDensity };
  const { forward, words } = analysisOf(document);
  const { regionScore, locations } = document;
  const unknown = { publishedAt: null, crawledAt: 0, authority: null, regionHost: null };
  return { ...common, ...unknown, words, regionScore, locations: packPlaces(locations), forward };
}

const scoreOf = (query: string, given: Omit<Given, "id">, ranking?: Ranking) =>
  createScorer(parseQuery(query), CORPUS, ranking).score(candidateOf(given))?.score ?? 0;

const FILLER = "these are other words of the page here now";

const ORDERED: [query: string, better: Omit<Given, "id">, worse: Omit<Given, "id">, why: string][] =
  [
    ["rare", { title: "rare" }, { text: "rare" }, "the title counts more than the text"],
    ["rare", { text: "rare rare rare" }, { text: `rare ${FILLER}` }, "said more often"],
    ["rare", { text: "rare" }, { text: `rare ${FILLER.repeat(5)}` }, "in fewer words"],
    ["rare common", { text: "rare" }, { text: "common" }, "a rare word tells more"],
    ["rare lisbon", { text: "rare lisbon" }, { text: "rare rare" }, "more of the query"],
    [
      "lisbon tram",
      { text: `lisbon tram ${FILLER}` },
      { text: `tram lisbon ${FILLER}` },
      "in order",
    ],
    [
      "rare",
      { text: `rare ${FILLER}` },
      { text: `rare ${FILLER}`, linkDensity: 0.9 },
      "no link list",
    ],
    [
      "common rare rare",
      { text: `rare ${FILLER}` },
      { text: `common ${FILLER}` },
      "a repeated wish",
    ],
  ];

test.each(ORDERED)("%j: %j before %j: %s", (query, better, worse) => {
  expect(scoreOf(query, better)).toBeGreaterThan(scoreOf(query, worse));
  expect(scoreOf(query, worse)).toBeGreaterThan(0);
});

test("one term in one field is BM25 by hand", () => {
  const { text } = createScorer(parseQuery("rare"), CORPUS).score(
    candidateOf({ text: `rare rare ${FILLER}`, url: "https://h.example/" }),
  )!.breakdown;
  const idf = Math.log(1 + (1_000 - 2 + 0.5) / 2.5);
  const norm = 1.2 * (1 - 0.75 + (0.75 * 11) / 10);
  expect(text).toBeCloseTo((idf * 2 * 2.2) / (2 + norm), 10);
});

test("a stem counts as the word it stands for, in the language of the document only", () => {
  expect(scoreOf("tram", { text: "trams" })).toBeGreaterThan(0);
  expect(scoreOf("news", { text: "new", lang: "en" })).toBe(0);
  expect(scoreOf("news", { text: "new", lang: "fr" })).toBeGreaterThan(0);
});

test("a title that was asked for must be there", () => {
  expect(scoreOf("intitle:trams", { title: "Tram" })).toBeGreaterThan(0);
  expect(scoreOf("intitle:trams", { text: "tram" })).toBe(0);
});

test("the breakdown names every signal, those not measured with their neutral value", () => {
  const { score, breakdown } = createScorer(parseQuery("rare"), CORPUS).score(
    candidateOf({ text: "rare", linkDensity: 1 }),
  )!;
  expect(Object.keys(breakdown)).toEqual(["text", ...SIGNALS.map(({ name }) => name)]);
  expect(breakdown).toMatchObject({ authority: 0, freshness: 0, navigational: 1, rules: 1 });
  expect(score).toBeCloseTo(breakdown.text * breakdown.quality, 10);
});

test("signals can be switched off and weighed; with all off BM25 stands alone", () => {
  const given = { text: "rare", linkDensity: 1 };
  const off = { quality: { enabled: false, weight: 1 } };
  const half = { quality: { enabled: true, weight: 0.5 } };
  const plain = scoreOf("rare", { text: "rare" });
  expect(scoreOf("rare", given, off)).toBe(plain);
  expect(scoreOf("rare", given, half)).toBeCloseTo((plain + scoreOf("rare", given)) / 2, 10);
  const withoutText = { text: { enabled: false, weight: 1 }, ...off };
  expect(scoreOf("rare", given, withoutText)).toBe(1);
});

test("a signal that throws is left out and named", () => {
  const scorer = createScorer(parseQuery("rare"), CORPUS);
  const broken = candidateOf({ text: "rare" });
  Object.defineProperty(broken, "linkDensity", {
    get: () => {
      throw new Error("no such number");
    },
  });
  expect(scorer.score(broken)?.breakdown.quality).toBe(1);
  expect([...scorer.degraded]).toEqual(["quality"]);
});

const PLACES = { near: [{ hash: 7, weight: 1 }], isRegion: false, isElsewhere: false };

test("so is locality, and nothing else changes", () => {
  const scorer = createScorer({ ...parseQuery("rare"), places: PLACES }, CORPUS);
  const page = candidateOf({ text: "rare", regionScore: 0.5, locations: ["Matane"] });
  const { score } = scorer.score({ ...page, locations: null })!;
  Object.defineProperty(page, "locations", {
    get: () => {
      throw new Error("no such places");
    },
  });
  expect(scorer.score(page)!.score).toBe(score);
  expect([...scorer.degraded]).toEqual(["locality"]);
});

test.each([
  [{ isElsewhere: false }, 1, 0.5, "of the region"],
  [{ isElsewhere: false }, null, 0, "unknown"],
  [{ isElsewhere: true }, 1, 0, "of the region, where another place is asked for"],
  [{ isElsewhere: true }, 0, 0.2, "of elsewhere, where it is asked for"],
  [{ isElsewhere: true }, null, 0, "unknown, where another place is asked for"],
])("%j: a page that scores %p gains %d: %s", (more, regionScore, gain) => {
  const query = { ...parseQuery("rare"), places: { ...PLACES, ...more } };
  const [of, plain] = [regionScore, null].map(
    (score) =>
      createScorer(query, CORPUS).score(candidateOf({ text: "rare", regionScore: score }))!,
  );
  expect(of!.score / plain!.score).toBeCloseTo(1 + gain, 10);
});

test("a page of the region that merely mentions the words stays below one that is about them", () => {
  const asked = ["rare", "rare lisbon", "tram rare lisbon"];
  for (const words of asked) {
    const about = scoreOf(words, { title: words, text: `${words} ${FILLER}`, regionScore: 0 });
    const mentions = candidateOf({ title: "here", text: `${words} ${FILLER}`, regionScore: 1 });
    const rival = createScorer(parseQuery(words), CORPUS).score({ ...mentions, regionHost: 1 })!;
    expect(about).toBeGreaterThan(rival.score);
  }
});

test("a damaged document does not match, and throws nothing", () => {
  const candidate = { ...candidateOf({ text: "rare" }), forward: new Uint8Array([9, 9]) };
  expect(createScorer(parseQuery("rare"), CORPUS).score(candidate)).toBeNull();
});

test("an unknown collection gives finite scores", () => {
  const empty = { ...CORPUS, df: new Map<string, number>(), documents: 0 };
  const score = createScorer(parseQuery("rare"), empty).score(candidateOf({ text: "rare" }))!.score;
  expect(Number.isFinite(score)).toBe(true);
});

test.each([
  [{ words: 0, linkDensity: 0 }, 1, "a short page loses nothing"],
  [{ words: 200, linkDensity: 0.3 }, 1, "nor does an ordinary one"],
  [{ words: 400, linkDensity: 0 }, 1.03, "a longer one gains a little"],
  [{ words: 1e9, linkDensity: 0 }, 1.15, "never much"],
  [{ words: 100, linkDensity: 1 }, 0.51, "links alone cost half"],
  [{ words: 100, linkDensity: 99 }, 0.51, "and not more"],
])("quality of %j is %d: %s", (page, expected) => {
  expect(quality(page)).toBeCloseTo(expected, 5);
});
