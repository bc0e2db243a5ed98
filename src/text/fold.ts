import { withFewMarks } from "./marks.ts";
import { WORD_UNITS_MAX, wholeCharacter } from "./tokenise.ts";

/**
 * A word as people spell it, but in one form: NFKC, lower case, elision and possessive off
 * (`L’École` → `école`, `dog's` → `dog`), letters and digits only. May be empty.
 */
export function spell(raw: string): string {
  if (PLAIN.test(raw)) return raw.toLowerCase();
  if (raw.length <= WORD_UNITS_MAX && COMPOSED.test(raw)) return raw.toLowerCase();
  const word = withFewMarks(raw)
    .normalize("NFKC")
    .toLowerCase()
    .replace(APOSTROPHES, "'")
    .replace(ELISION, "")
    .replace(POSSESSIVE, "")
    .replace(NOT_WORD, "")
    .normalize("NFC");
  return word.slice(0, wholeCharacter(word, WORD_UNITS_MAX));
}

/**
 * The spelling without accents, for comparing: `école` → `ecole`, `straße` → `strasse`, `ёлка` →
 * `елка`.
 */
export function fold(word: string): string {
  if (PLAIN.test(word)) return word;
  if (word.length <= WORD_UNITS_MAX && UNACCENTED.test(word)) return word;
  const folded = withoutAccents(word);
  return folded.slice(0, wholeCharacter(folded, WORD_UNITS_MAX));
}

/** A longer text folded for comparing beginnings: words by single spaces. */
export function foldText(text: string): string {
  const lower = withFewMarks(text).normalize("NFKC").toLowerCase();
  return withoutAccents(lower).replace(NOT_WORDS, " ").trim();
}

function withoutAccents(text: string): string {
  return withFewMarks(text)
    .replace(SPECIAL, (char) => SPECIAL_LETTERS[char] ?? char)
    .normalize("NFD")
    .replace(ACCENTED, "$1")
    .replace(POINTING, "")
    .normalize("NFC");
}

const PLAIN = /^[A-Za-z0-9]*$/;
/** Letters of Western Europe and of Cyrillic that every normal form leaves as they are. */
const COMPOSED = /^[A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u0400-\u045f]*$/;
/** Those of Cyrillic that folding leaves, which takes accents off Latin and Greek letters. */
const UNACCENTED = /^[0-9\u0400-\u044f\u0452-\u045c\u045e\u045f]*$/;
const APOSTROPHES = /[\u2019\u02bc\uff07]/g;
/** French, Italian, Catalan and Portuguese articles and pronouns that lose their vowel. */
const ELISION =
  /^(?:[ldjtmnsc]|(?:jus|lors|puis|quoi|quel)?qu|[dns]ell|dall|sull|all|un|gl)'(?=\p{L}{2})/u;
const POSSESSIVE = /'s?$/;
const NOT_WORD = /[^\p{L}\p{N}\p{M}]/gu;
const NOT_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;
/** Accents go from the scripts where people leave them out; elsewhere marks are letters. */
const ACCENTED = /([\p{sc=Latin}\p{sc=Greek}])\p{Mn}+/gu;
const POINTING = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670\u0640]/g;
const SPECIAL = /[ßæœøđðłıþёѐѝ]/g;
const SPECIAL_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ё: "е",
  ѐ: "е",
  ѝ: "и",
};
