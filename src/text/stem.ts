import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stem as english } from "porter2";
import { fold } from "./fold.ts";

/** Snowball stemmers by BCP 47 primary subtag. */
const STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  da: danish,
  de: german,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  it: italian,
  nb: norwegian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  tr: turkish,
};

export const stemmedLanguages: readonly string[] = Object.keys(STEMMERS);

/** Outside these lengths there is nothing to take off, or it is no word of a language. */
const STEM_LETTERS_MIN = 3;
const STEM_LETTERS_MAX = 40;

/**
 * Folded stems of a spelled word (see `spell`), without the folded word itself. Two where accents
 * decide: `continuité` gives `continu`, and `continuit` for those who write without accents.
 */
export function stems(
  spelling: string,
  lang: string | null,
  surface = fold(spelling),
): readonly string[] {
  const stemmer = lang === null ? undefined : STEMMERS[lang];
  if (stemmer === undefined || spelling.length < STEM_LETTERS_MIN) return NONE;
  if (spelling.length > STEM_LETTERS_MAX || !LETTERS.test(spelling)) return NONE;
  const stem = fold(stemmer(spelling));
  const bare = surface === spelling ? stem : fold(stemmer(surface));
  const found = stem === surface || stem === "" ? [] : [stem];
  if (bare !== stem && bare !== surface && bare !== "") found.push(bare);
  return found.length === 0 ? NONE : found;
}

const NONE: readonly string[] = [];
const LETTERS = /^\p{L}+$/u;
