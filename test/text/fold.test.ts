import { expect, test } from "bun:test";
import fc from "fast-check";
import { fold, foldText, spell } from "../../src/text/fold.ts";
import { WORD_UNITS_MAX } from "../../src/text/tokenise.ts";

const CASES: [raw: string, spelling: string, folded: string, why: string][] = [
  ["Hello", "hello", "hello", "case"],
  ["École", "école", "ecole", "accents stay in the spelling"],
  ["ECOLE\u0301", "ecolé", "ecole", "composed or not is one"],
  ["L'École", "école", "ecole", "elision"],
  ["qu’il", "il", "il", "elision with a curly apostrophe"],
  ["Jusqu'ici", "ici", "ici", "a long one"],
  ["dell'arte", "arte", "arte", "an Italian one"],
  ["aujourd'hui", "aujourdhui", "aujourdhui", "an apostrophe inside a word"],
  ["dog's", "dog", "dog", "possessive"],
  ["don't", "dont", "dont", "a contraction stays one word"],
  ["O'Reilly", "oreilly", "oreilly", "a name stays one word"],
  ["straße", "straße", "strasse", "sharp s"],
  ["Œuvre", "œuvre", "oeuvre", "ligature"],
  ["ﬁn", "fin", "fin", "compatibility ligature"],
  ["ＡＢＣ１２", "abc12", "abc12", "full width"],
  ["x²", "x2", "x2", "superscript"],
  ["ёлка", "ёлка", "елка", "yo"],
  ["йод", "йод", "йод", "but short i is a letter of its own"],
  ["Ελλάδα", "ελλάδα", "ελλαδα", "Greek accents"],
  ["İstanbul", "i̇stanbul", "istanbul", "dotted capital i"],
  ["łódź", "łódź", "lodz", "stroke"],
  ["مُحَمَّد", "مُحَمَّد", "محمد", "Arabic vowel marks"],
  ["हिन्दी", "हिन्दी", "हिन्दी", "vowel signs of Hindi are letters"],
  ["co\u00adop", "coop", "coop", "soft hyphen"],
  ["\u200d", "", "", "nothing is left"],
];

test.each(CASES)("%j → %j → %j: %s", (raw, spelling, folded) => {
  expect(spell(raw)).toBe(spelling);
  expect(fold(spell(raw))).toBe(folded);
});

test("titles fold to words by single spaces", () => {
  expect(foldText("  «L’été»,\n  à São Paulo! ")).toBe("l ete a sao paulo");
});

test("folding again changes nothing; results are bounded, whole and without spaces", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (raw) => {
      const folded = fold(spell(raw));
      expect(fold(spell(folded))).toBe(folded);
      expect(folded.length).toBeLessThanOrEqual(WORD_UNITS_MAX);
      expect(folded).not.toMatch(/[\s"'_]/u);
    }),
  );
});

test("words of plain letters take a shorter way to the same end", () => {
  const letters = "aZ9ÀÖØöøÿßñæАЯаяЀѐЁёЇїЙйЎўЌќ".split("");
  const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(word, (raw) => {
      // The joiner is taken out, and the accent off: by the longer way.
      const spelling = spell(`${raw}\u200d`);
      expect(spell(raw)).toBe(spelling);
      expect(fold(`\u03ad${spelling}`)).toBe(`\u03b5${fold(spelling)}`);
    }),
  );
});
