import { expect, test } from "bun:test";
import fc from "fast-check";
import { spell } from "../../src/text/fold.ts";
import { stemmedLanguages, stems } from "../../src/text/stem.ts";

const SAME: [lang: string, one: string, other: string][] = [
  ["en", "running", "runs"],
  ["en", "extraction", "extracted"],
  ["en", "communities", "community"],
  ["fr", "continuité", "continue"],
  ["fr", "écoles", "école"],
  ["fr", "nationaux", "nationale"],
  ["pt", "informações", "informação"],
  ["pt", "cidades", "cidade"],
  ["ru", "книгами", "книга"],
  ["ru", "большая", "большой"],
  ["es", "informaciones", "información"],
  ["es", "hablando", "hablamos"],
  ["de", "häuser", "haus"],
  ["de", "schönen", "schönste"],
  ["it", "nazionali", "nazionale"],
  ["nl", "fietsen", "fiets"],
  ["sv", "flickor", "flickorna"],
];

const formsOf = (word: string, lang: string) => [...stems(word, lang), word];

test.each(SAME)("%s: %s and %s meet", (lang, one, other) => {
  const meeting = formsOf(one, lang).filter((form) => formsOf(other, lang).includes(form));
  expect(meeting).not.toEqual([]);
});

test.each([
  ["en", "news", "new"],
  ["en", "general", "generous"],
  ["fr", "nation", "notion"],
  ["ru", "город", "горох"],
])("%s: %s and %s do not meet", (lang, one, other) => {
  const meeting = formsOf(one, lang).filter((form) => formsOf(other, lang).includes(form));
  expect(meeting).toEqual([]);
});

test("a word written without its accents meets the one with them", () => {
  expect(stems("continuité", "fr")).toEqual(["continu", "continuit"]);
  expect(stems("continuite", "fr")).toEqual(["continuit"]);
});

test.each([
  ["zq12x34", "en", "a word with a digit"],
  ["of", "en", "a short word"],
  ["running", null, "an unknown language"],
  ["running", "xx", "a language without stemmer"],
  ["run", "en", "a word that is its own stem"],
  ["a".repeat(60), "en", "what is no word"],
])("nothing is taken off %s (%s): %s", (word, lang) => {
  expect(stems(word, lang)).toEqual([]);
});

test("no word throws or takes long, in any language", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary", maxLength: 64 }),
    fc.string({ unit: fc.constantFrom(..."aeiouysntlrecé"), maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(..."аеиостнлвшщ"), maxLength: 40 }),
  );
  fc.assert(
    fc.property(word, fc.constantFrom(...stemmedLanguages), (raw, lang) => {
      for (const stem of stems(spell(raw), lang)) expect(stem).not.toMatch(/[\s"_]/);
    }),
    { numRuns: 2_000, interruptAfterTimeLimit: 20_000 },
  );
});
