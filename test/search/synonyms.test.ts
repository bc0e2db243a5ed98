import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseQuery } from "../../src/search/query.ts";
import { languageOfQuery, type Reader } from "../../src/search/query-language.ts";
import { loadSynonyms, readSynonyms } from "../../src/search/synonym-files.ts";
import { Synonyms } from "../../src/search/synonyms.ts";
import { widened } from "../../src/search/widen.ts";

const folder = mkdtempSync(join(tmpdir(), "trawl-synonyms-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { synonyms, problems } = loadSynonyms();

/** What stands for each word that has something, as `lang:words`. */
function wider(text: string, reader: Reader = {}, langs?: ReadonlySet<string>) {
  const { concepts } = widened(parseQuery(text), synonyms, langs, reader);
  return Object.fromEntries(
    concepts.flatMap(({ words, alternatives = [] }) => {
      const all = alternatives.map(
        (own) => `${own.lang}:${own.words.map(({ surface }) => surface).join(" ")}`,
      );
      return all.length === 0 ? [] : [[words[0]!.surface, all]];
    }),
  );
}

test("the files that come with the program can be used, and hold some hundred entries", () => {
  expect(problems).toEqual([]);
  expect([...synonyms.langs].sort()).toEqual(["de", "en", "es", "fr", "pt", "ru"]);
  for (const word of ["voiture", "car", "carro", "coche", "auto", "автомобиль"]) {
    expect(synonyms.of(word).length).toBeGreaterThan(0);
  }
});

test.each([
  ["voitures", { voitures: ["fr:auto", "fr:automobile", "en:car"] }, "any form of a word"],
  ["ECOLES", { ecoles: ["fr:etablissement scolaire", "en:school"] }, "accents or none"],
  ["university", { university: ["fr:universite"] }, "a word whose stem others share"],
  ["universities", {}, "unless the word finds the other one by its own stems"],
  ["universe", {}, "but not the others"],
  ["fin de semaine", { fin: WEEKEND(), semaine: WEEKEND() }, "several words mean one thing"],
  ["fin du monde", { monde: ["en:world"] }, "and apart something else"],
  ['"école"', {}, "quoted as typed"],
  ["intitle:école", {}, "of the title as typed"],
  ["école OR cégep", {}, "joined as typed"],
  ["-école", {}, "left out as typed"],
  ["école1", {}, "with a digit"],
  ["école lycée cégep garderie maire maison voiture vélo hôpital", {}, "of a long query"],
])("%j: %j: %s", (text, expected) => {
  expect(wider(text)).toEqual(expected);
});

function WEEKEND(): string[] {
  return ["fr:week end", "fr:weekend", "en:weekend"];
}

test.each([
  ["pain", {}, {}, "bread, or what aches"],
  ["pain", { page: "fr" }, { pain: ["en:bread"] }, "on a French page"],
  ["pain", { page: "en" }, {}, "on an English one"],
  ["avocat", { filter: "fr" }, { avocat: ["fr:juriste"] }, "among French ones"],
  ["où acheter du pain", {}, { pain: ["en:bread"] }, "among French words"],
  ["the pain", {}, {}, "with another one"],
  ["main droite", {}, {}, "a hand, or what matters most"],
  ["la main d'un élève", {}, { main: ["en:hand"], eleve: ["fr:ecolier", "en:pupil"] }, "French"],
  ["chat", { page: "ru" }, {}, "a cat, or a talk"],
  [
    "pain fin de semaine",
    { page: "en" },
    { pain: ["en:bread"], semaine: WEEKEND() },
    "beside an expression of French",
  ],
  ["school", { filter: "fr" }, { school: ["fr:ecole"] }, "among French documents"],
] as [string, Reader, Record<string, string[]>, string][])(
  "%j asked by %j: %j: %s",
  (text, reader, expected) => {
    expect(wider(text, reader)).toEqual(expected);
  },
);

test("only words of languages that documents have are looked for", () => {
  expect(wider("école", {}, new Set(["en"]))).toEqual({ ecole: ["en:school"] });
  expect(wider("école", {}, new Set(["ja"]))).toEqual({});
});

test.each([
  ["musées de Paris", {}, "fr"],
  ["best museums in the world", {}, "en"],
  ["l'hôtel", {}, "fr"],
  ["книги о городе", {}, "ru"],
  ["straße", {}, "de"],
  ["niños", {}, "es"],
  ["informação", {}, "pt"],
  ["paris", {}, null],
  ["paris", { page: "fr" }, "fr"],
  ["the best museums", { page: "fr" }, "en"],
  ["zq12x34", {}, null],
  ["東京", {}, null],
  ["", {}, null],
] as [string, Reader, string | null][])("%j asked by %j is %j", (text, reader, expected) => {
  const words = parseQuery(text).neighbours.flat();
  const all = [...words, ...parseQuery(text).concepts.map((own) => own.words[0]!.surface)];
  expect(languageOfQuery(text, new Set(all), synonyms, reader)).toBe(expected);
});

test("what stands for a word is bounded", () => {
  const members = Array.from({ length: 8 }, (_, at) => `word${String.fromCharCode(97 + at)}`);
  const others = members.map((text) => `${text}x`);
  const groups = [members, [members[0]!, ...others.slice(1)]];
  const many = new Synonyms({
    groups: groups.map((own) => ({ lang: "en", members: own })),
    pairs: [],
    homographs: [],
  });
  const { concepts } = widened(parseQuery("worda"), many, undefined);
  expect(concepts[0]!.alternatives).toHaveLength(6);
});

test.each([
  ["fr.json", "{", /^seeds\/synonyms\/fr\.json: .*(?:JSON|EOF|Expected)/],
  ["fr.json", "[]", /fr\.json: has no source/],
  ["fr.json", "null", /fr\.json: is no object/],
  ["fr.json", { groups: [] }, /fr\.json: has no source/],
  ["fr.json", { source: "x", groups: 3 }, /fr\.json: groups is no list/],
  ["fr.json", { source: "x", pairs: [] }, /fr\.json: "pairs" is not known there/],
  ["fr.json", { source: "x", groups: [["a", "b"], ["c"]] }, /groups\[1\]: has 1 words, not 2 to 8/],
  ["fr.json", { source: "x", groups: [["a", 3]] }, /groups\[0\]: is no list of texts/],
  ["fr.json", { source: "x", groups: ["ab"] }, /groups\[0\]: is no list of texts/],
  ["fr.json", { source: "x", groups: [["été", "ETE"]] }, /groups\[0\]: "ETE" stands there twice/],
  ["fr.json", { source: "x", groups: [["a", "b2"]] }, /"b2" has a digit/],
  ["fr.json", { source: "x", groups: [["a", "?!"]] }, /"\?!" has no word/],
  ["fr.json", { source: "x", groups: [["a", "b c d e f"]] }, /has more than 4 words/],
  ["fr.json", { source: "x", groups: [["a", "b".repeat(61)]] }, /is longer than 60 characters/],
  ["en-fr.json", { source: "x", pairs: [["a", "b", "c"]] }, /pairs\[0\]: has 3 words, not 2/],
  ["homographs.json", { source: "x", words: [["a"]] }, /words\[0\]: is no text/],
  ["french.json", { source: "x", groups: [] }, /french\.json: is no name of a language or two/],
])("%s with %j is told, and the other files are used", (name, content, expected) => {
  const own = mkdtempSync(join(folder, "case-"));
  const good = { source: "x", groups: [["lift", "elevator"]] };
  writeFileSync(join(own, "zz.json"), JSON.stringify(good));
  writeFileSync(join(own, name), typeof content === "string" ? content : JSON.stringify(content));
  const read = readSynonyms(pathToFileURL(`${own}/`));
  expect(read.problems).toHaveLength(1);
  expect(read.problems[0]).toMatch(expected);
  expect(read.synonyms.langs).toEqual(["zz"]);
});

test("without a folder there are none, and nothing is wrong", () => {
  const { synonyms: none, problems: wrong } = readSynonyms(pathToFileURL(`${folder}/nowhere/`));
  expect([none.langs, wrong]).toEqual([[], []]);
  const query = parseQuery("école");
  expect(widened(query, none, undefined)).toBe(query);
});
