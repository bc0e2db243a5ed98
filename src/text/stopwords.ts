import { stopwords as danish } from "@orama/stopwords/danish";
import { stopwords as dutch } from "@orama/stopwords/dutch";
import { stopwords as english } from "@orama/stopwords/english";
import { stopwords as finnish } from "@orama/stopwords/finnish";
import { stopwords as french } from "@orama/stopwords/french";
import { stopwords as german } from "@orama/stopwords/german";
import { stopwords as hungarian } from "@orama/stopwords/hungarian";
import { stopwords as italian } from "@orama/stopwords/italian";
import { stopwords as norwegian } from "@orama/stopwords/norwegian";
import { stopwords as portuguese } from "@orama/stopwords/portuguese";
import { stopwords as romanian } from "@orama/stopwords/romanian";
import { stopwords as russian } from "@orama/stopwords/russian";
import { stopwords as spanish } from "@orama/stopwords/spanish";
import { stopwords as swedish } from "@orama/stopwords/swedish";
import { stopwords as turkish } from "@orama/stopwords/turkish";
import { fold, spell } from "./fold.ts";

/** Without their apostrophe some are words of their own: he'll, we'd. */
const AMBIGUOUS = /['’](?:ll|d)$/;

/** Words that say little of what a text is about, folded, by BCP 47 primary subtag. */
const STOPWORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  da: folded(danish),
  de: folded(german),
  // The list that the library took over lacks it.
  en: folded([...english, "a"]),
  es: folded(spanish),
  fi: folded(finnish),
  fr: folded(french),
  hu: folded(hungarian),
  it: folded(italian),
  nb: folded(norwegian),
  nl: folded(dutch),
  no: folded(norwegian),
  pt: folded(portuguese),
  ro: folded(romanian),
  ru: folded(russian),
  sv: folded(swedish),
  tr: folded(turkish),
};

const NONE: ReadonlySet<string> = new Set();

/** Folded stopwords of a language; none of one that has no list. */
export const stopwordsOf = (lang: string): ReadonlySet<string> => STOPWORDS[lang] ?? NONE;

function folded(words: readonly string[]): ReadonlySet<string> {
  const plain = words.filter((word) => !AMBIGUOUS.test(word)).map((word) => fold(spell(word)));
  return new Set(plain.filter((word) => word !== ""));
}
