import { expect, test } from "bun:test";
import fc from "fast-check";
import { isEmptyQuery, type ParsedQuery, parseQuery } from "../../src/search/query.ts";

/** A query in short: what a table can show. */
function shortOf(query: ParsedQuery): Record<string, unknown> {
  const { required, excluded } = query;
  const surfaces = (words: readonly { surface: string }[]) => words.map((word) => word.surface);
  const all = {
    words: query.concepts.map((concept) => surfaces(concept.words).join("|")),
    phrases: required.phrases.map((group) => group.map((phrase) => phrase.join(" ")).join("|")),
    inTitle: surfaces(required.inTitle),
    sites: required.sites,
    lang: required.lang,
    from: required.from === null ? null : new Date(required.from).toISOString(),
    to: required.to === null ? null : new Date(required.to).toISOString(),
    not: excluded.phrases.map((phrase) => phrase.join(" ")),
    notInTitle: surfaces(excluded.inTitle),
    notSites: excluded.sites,
    notLangs: excluded.langs,
  };
  const isSaid = (value: unknown) => value !== null && (!Array.isArray(value) || value.length > 0);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isSaid(value)));
}

const CASES: [query: string, short: Record<string, unknown>, why: string][] = [
  ["", {}, "nothing"],
  ["  \n ", {}, "spaces"],
  ["Red  Wine", { words: ["red", "wine"] }, "words"],
  ["red-wine", { words: ["red", "wine"] }, "a hyphen inside is no exclusion"],
  ["L'École", { words: ["ecole"] }, "folded, elision off"],
  ['"Red Wine" dry', { words: ["red", "wine", "dry"], phrases: ["red wine"] }, "a phrase"],
  ["“red wine”", { words: ["red", "wine"], phrases: ["red wine"] }, "curly quotes"],
  ["«vin rouge»", { words: ["vin", "rouge"], phrases: ["vin rouge"] }, "French quotes"],
  ['"red wine', { words: ["red", "wine"] }, "an open quote is text"],
  ['""', {}, "an empty phrase"],
  ["wine -red", { words: ["wine"], not: ["red"] }, "without a word"],
  ['wine -"red dry"', { words: ["wine"], not: ["red dry"] }, "without a phrase"],
  ["wine -well-known", { words: ["wine"], not: ["well known"] }, "what is joined stays so"],
  ["wine - red", { words: ["wine", "red"] }, "a lone hyphen is nothing"],
  ["cat OR dog food", { words: ["cat|dog", "food"] }, "alternatives"],
  ["cat | dog", { words: ["cat|dog"] }, "in short"],
  ["cat or dog", { words: ["cat", "or", "dog"] }, "but not in small letters"],
  ["OR cat OR", { words: ["cat"] }, "OR needs two sides"],
  [
    '"new york" OR nyc',
    { words: ["new|nyc", "york"], phrases: ["new york|nyc"] },
    "a phrase or a word: one of them is required",
  ],
  ["wine site:b.example", { words: ["wine"], sites: ["b.example"] }, "a site"],
  ["site:https://WWW.b.example/path", { sites: ["www.b.example"] }, "given as a URL"],
  ["site:*.b.example.", { sites: ["b.example"] }, "or with a star"],
  ["site:münchen.example", { sites: ["xn--mnchen-3ya.example"] }, "an international one"],
  ["-site:b.example wine", { words: ["wine"], notSites: ["b.example"] }, "elsewhere"],
  ["site: wine", { words: ["site", "wine"] }, "an operator without value is text"],
  ["intitle:wine", { words: ["wine"], inTitle: ["wine"] }, "in the title"],
  ['intitle:"red wine"', { words: ["red", "wine"], inTitle: ["red", "wine"] }, "several words"],
  ["-intitle:wine x", { words: ["x"], notInTitle: ["wine"] }, "not in the title"],
  ["lang:FR-ca vin", { words: ["vin"], lang: "fr" }, "a language"],
  ["-lang:fr vin", { words: ["vin"], notLangs: ["fr"] }, "not in it"],
  ["lang:english", { words: ["lang", "english"] }, "no language tag: text"],
  ["after:2020", { from: "2020-01-01T00:00:00.000Z" }, "since a year"],
  ["before:2020-02", { to: "2020-01-31T23:59:59.999Z" }, "before a month"],
  ["after:2020-02-29 x", { words: ["x"], from: "2020-02-29T00:00:00.000Z" }, "since a day"],
  ["after:2021-13", { words: ["after", "2021", "13"] }, "a month that never was is text"],
  ["-before:2020 x", { words: ["x"], not: ["before 2020"] }, "nothing is before's opposite"],
  ["http://wine.example/page", { words: ["http", "wine", "example", "page"] }, "a URL is text"],
  ["東京都", { words: ["東京", "京都"] }, "grams"],
  [
    "oak:elm (ash) [fir] {yew} *box^",
    { words: ["oak", "elm", "ash", "fir", "yew", "box"] },
    "the rest is text",
  ],
];

const STOPWORDS: [query: string, words: string[], why: string][] = [
  ["what is the height of the tower", ["height", "tower"], "a question says what it is about"],
  ["quelle est la hauteur de la tour", ["hauteur", "tour"], "in each language"],
  ["die hard with a vengeance", ["die", "hard", "vengeance"], "of one language, not of all"],
  ["the who live", ["the", "who", "live"], "a short query may be a name"],
  ["to be or not to be", ["to", "be", "or", "not"], "nothing but stopwords"],
  ['"the wall" by pink floyd', ["the", "wall", "pink", "floyd"], "what is quoted stays"],
  [
    "we'll see the shell of hell",
    ["we'll", "see", "shell", "hell"].map((w) => w.replace("'", "")),
    "words that contractions only look like",
  ],
];

test.each(STOPWORDS)("%j keeps %j: %s", (query, words) => {
  const { concepts } = parseQuery(query, new Set(["en", "fr", "de"]));
  expect(concepts.map((concept) => concept.words[0]!.surface)).toEqual(words);
});

test.each(CASES)("%j → %j: %s", (query, short) => {
  expect(shortOf(parseQuery(query))).toEqual(short);
});

test("words know their stems by language; quoted and mixed ones have none", () => {
  const [runs, quoted, mixed] = parseQuery('runs "walks" x12s').concepts;
  expect(runs!.words[0]!.stems.en).toEqual(["run"]);
  expect(quoted!.words[0]!.stems).toEqual({});
  expect(mixed!.words[0]!.stems).toEqual({});
});

test("a word said again counts more, up to three times", () => {
  const query = parseQuery("code code code code review");
  expect(query.concepts.map(({ repeats }) => repeats)).toEqual([3, 1]);
});

test("neighbours are the words side by side, but not across OR", () => {
  expect(parseQuery("a b OR c d").neighbours).toEqual([["a", "b"]]);
  expect(parseQuery("red wine dry").neighbours).toEqual([
    ["red", "wine"],
    ["wine", "dry"],
  ]);
});

test("a query that wishes nothing is empty", () => {
  for (const query of ["", "-a", '-"a b"', "-site:a.example", "!?"]) {
    expect(isEmptyQuery(parseQuery(query))).toBe(true);
  }
  for (const query of ["a", "site:a.example", "after:2020", "lang:fr"]) {
    expect(isEmptyQuery(parseQuery(query))).toBe(false);
  }
});

test("any input gives a bounded query", () => {
  const part = fc.oneof(
    fc.constantFrom('"', "-", " OR ", "|", "site:", "intitle:", "lang:", "after:", "“", "\0"),
    fc.string({ unit: "binary", maxLength: 30 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
      const query = parseQuery(parts.join(""));
      expect(query.concepts.length).toBeLessThanOrEqual(32);
      expect(query.required.phrases.length).toBeLessThanOrEqual(32);
      expect(query.excluded.phrases.length).toBeLessThanOrEqual(8);
      for (const { words } of query.concepts) expect(words.length).toBeLessThanOrEqual(8);
    }),
  );
  expect(parseQuery(`${"word ".repeat(100_000)}`).concepts).toHaveLength(1);
});
