import { stems } from "../text/stem.ts";
import { type QueryWord, queryWords } from "./query-word.ts";

/** What the files of seeds/synonyms say; see synonym-files.ts. */
export interface SynonymLists {
  /** Words of a language that mean the same. */
  groups: readonly { lang: string; members: readonly string[] }[];
  /** Words of one language, and what another says for them. */
  pairs: readonly { langs: readonly [string, string]; members: readonly [string, string] }[];
  /** Words that mean another thing in another language: pain, chat, main. */
  homographs: readonly string[];
}

/** What may stand for a word of the query, in documents of its language alone. */
export interface Alternative {
  lang: string;
  /** One word, or some that follow each other, in their order. */
  words: readonly QueryWord[];
  /** How much it counts of what the word itself would, below 1. */
  weight: number;
}

/** A word, or some side by side, as a language means it. */
export interface Sense {
  lang: string;
  surfaces: readonly string[];
  /** Others of its meaning. */
  others: readonly { lang: string; text: string; weight: number }[];
}

/** Another word of the same language says nearly the same. */
const SYNONYM_WEIGHT = 0.5;
/** Who asks in one language reads it best: what another says comes behind. */
const TRANSLATION_WEIGHT = 0.3;
/** Words of one expression: fin de semaine. */
export const EXPRESSION_WORDS_MAX = 4;
/** Words asked for lately: finding one takes a stem a language. */
const KEPT_MAX = 5_000;

/**
 * Synonyms by word. Made once a thread, in 10 ms: stems are made of what a query says, not of all
 * words of the lists. Looking a word up again takes a microsecond.
 */
export class Synonyms {
  readonly langs: readonly string[];
  readonly homographs: ReadonlySet<string>;
  /** Senses of single words by language and how they begin, which no ending changes. */
  readonly #byBeginning = new Map<string, Sense[]>();
  /** Of several words, by their first two. */
  readonly #byPair = new Map<string, Sense[]>();
  readonly #kept = new Map<string, readonly Sense[]>();

  constructor({ groups, pairs, homographs }: SynonymLists) {
    const senses = new Map<string, Draft>();
    const senseOf = (lang: string, text: string): Draft => {
      const surfaces = surfacesOf(text);
      const key = `${lang} ${surfaces.join(" ")}`;
      const sense = senses.get(key) ?? { lang, surfaces, text, others: [] };
      senses.set(key, sense);
      return sense;
    };
    const join = (one: Draft, { lang, text }: Draft, weight: number) =>
      one.others.push({ lang, text, weight });
    for (const { lang, members } of groups) {
      const own = members.map((text) => senseOf(lang, text));
      for (const one of own) {
        for (const other of own) if (other !== one) join(one, other, SYNONYM_WEIGHT);
      }
    }
    for (const { langs, members } of pairs) {
      const [one, other] = [senseOf(langs[0], members[0]), senseOf(langs[1], members[1])];
      join(one, other, TRANSLATION_WEIGHT);
      join(other, one, TRANSLATION_WEIGHT);
    }
    for (const sense of senses.values()) this.#add(sense);
    this.langs = [...new Set([...senses.values()].map(({ lang }) => lang))];
    this.homographs = new Set(homographs.flatMap(surfacesOf));
  }

  /** Senses of a word in any of its forms, by language. */
  of(surface: string): readonly Sense[] {
    const known = this.#kept.get(surface);
    if (known !== undefined) return known;
    const found = this.langs.flatMap((lang) => {
      const near = this.#byBeginning.get(beginningOf(lang, surface)) ?? NONE;
      const exact = near.filter(({ surfaces }) => surfaces[0] === surface);
      return exact.length > 0 ? exact : near.filter((sense) => isFormOf(sense, surface));
    });
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(surface, found);
    return found;
  }

  /** Senses of several words that begin with these two. */
  beginning(first: string, second: string): readonly Sense[] {
    return this.#byPair.get(`${first} ${second}`) ?? NONE;
  }

  #add(sense: Sense): void {
    const [first, second] = sense.surfaces;
    if (first === undefined) return;
    if (second !== undefined) push(this.#byPair, `${first} ${second}`, sense);
    else push(this.#byBeginning, beginningOf(sense.lang, first), sense);
  }
}

interface Draft extends Sense {
  text: string;
  others: Sense["others"][number][];
}

const made = new WeakMap<Sense, readonly Alternative[]>();

/** What stands for a sense, with its forms. */
export function alternativesOf(sense: Sense): readonly Alternative[] {
  const known = made.get(sense);
  if (known !== undefined) return known;
  const alternatives = sense.others.map(({ lang, text, weight }) => ({
    lang,
    words: queryWords(text, EXPRESSION_WORDS_MAX, [lang]),
    weight,
  }));
  made.set(sense, alternatives);
  return alternatives;
}

const NONE: readonly Sense[] = [];
const BEGINNING_LETTERS = 2;

const surfacesOf = (text: string): string[] =>
  queryWords(text, EXPRESSION_WORDS_MAX, []).map(({ surface }) => surface);

const beginningOf = (lang: string, surface: string): string =>
  lang + surface.slice(0, BEGINNING_LETTERS);

/** From so many letters on two may belong to another ending. */
const LONG_LETTERS = 7;

/** A stem is shared by words of other meanings too: universe is no form of university. */
function isFormOf({ lang, surfaces: [word = ""] }: Sense, surface: string): boolean {
  const least = word.length - (word.length >= LONG_LETTERS ? 2 : 1);
  let same = 0;
  while (same < word.length && word[same] === surface[same]) same++;
  if (same < Math.max(least, BEGINNING_LETTERS)) return false;
  const own = stemsOf(word, lang);
  return stemsOf(surface, lang).some((stem) => own.includes(stem));
}

function stemsOf(surface: string, lang: string): readonly string[] {
  const found = stems(surface, lang, surface);
  return found.length > 0 ? found : [surface];
}

function push(map: Map<string, Sense[]>, key: string, sense: Sense): void {
  const own = map.get(key);
  if (own === undefined) map.set(key, [sense]);
  else own.push(sense);
}
