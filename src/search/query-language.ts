import { stopwordsOf } from "../text/stopwords.ts";
import type { Synonyms } from "./synonyms.ts";

/*
 * The language of a query, which chooses whose synonyms stand for its words: chat is a cat in
 * French and a talk in English. A query is too short for a detector of texts, which takes `pain`
 * for either; so what is certain is counted: words that only one of the languages has (stopwords,
 * words of our lists), letters that only some of them write, and, worth less, the language of the
 * page or filter of who asks. A word that several languages have speaks for each with its part;
 * a homograph, being the question, for none. Stems need none of this: each document has its own
 * language, and a query is stemmed in all of them.
 */

export interface Reader {
  /** Languages of documents that are asked for. */
  filter?: string | undefined;
  /** Of the page on which the query was typed. */
  page?: string | undefined;
}

/** Letters beside a to z, and those of our languages that write them. */
const LETTERS: readonly [letters: RegExp, langs: readonly string[]][] = [
  [/[èùûîïëœ]/u, ["fr"]],
  [/[ñ¿¡]/u, ["es"]],
  [/[ãõ]/u, ["pt"]],
  [/[ßäö]/u, ["de"]],
  [/[а-яё]/u, ["ru"]],
  [/[àâêôç]/u, ["fr", "pt"]],
  [/[áíóú]/u, ["es", "pt"]],
  [/é/u, ["fr", "es", "pt"]],
  [/ü/u, ["de", "es"]],
  [/(?:^|\s)(?:[ldjmnsc]|qu)['’]\p{L}/u, ["fr"]],
  [/\p{L}(?:['’]s|n['’]t)(?:\s|$)/u, ["en"]],
];
const LETTERS_WORTH = 2;
const FILTER_WORTH = 1;
const PAGE_WORTH = 0.5;
/** By less than this one language does not stand out from the others. */
const LEAD = 0.3;

/**
 * Null: nothing tells, or two languages are as likely. `words` are folded, stopwords among them.
 */
export function languageOfQuery(
  text: string,
  words: Iterable<string>,
  synonyms: Synonyms,
  { filter, page }: Reader,
): string | null {
  const worth = new Map(synonyms.langs.map((lang) => [lang, 0]));
  const speak = (langs: readonly string[], amount: number): void => {
    for (const lang of langs) {
      const own = worth.get(lang);
      if (own !== undefined) worth.set(lang, own + amount / langs.length);
    }
  };
  const lower = text.toLowerCase();
  for (const [letters, langs] of LETTERS) if (letters.test(lower)) speak(langs, LETTERS_WORTH);
  for (const word of words) {
    if (synonyms.homographs.has(word)) continue;
    speak(
      synonyms.langs.filter((lang) => stopwordsOf(lang).has(word)),
      1,
    );
    speak([...new Set(synonyms.of(word).map(({ lang }) => lang))], 1);
  }
  if (filter !== undefined) speak([filter], FILTER_WORTH);
  if (page !== undefined) speak([page], PAGE_WORTH);
  const [best, second] = [...worth].sort(([, one], [, other]) => other - one);
  if (best === undefined || best[1] < (second?.[1] ?? 0) + LEAD) return null;
  return best[0];
}
