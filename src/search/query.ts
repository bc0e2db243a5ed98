import { stemmedLanguages } from "../text/stem.ts";
import { stopwordsOf } from "../text/stopwords.ts";
import type { HostWishes } from "./host-wishes.ts";
import { type Lexeme, readLexemes } from "./lexemes.ts";
import type { QueryPlaces } from "./places.ts";
import { type QueryWord, queryWords } from "./query-word.ts";
import type { Alternative } from "./synonyms.ts";

/** One thing asked for: a word, or several joined by OR, of which any will do. */
export interface Concept {
  words: readonly QueryWord[];
  /** How often the query says it. */
  repeats: number;
  /**
   * Surface forms that may stand for its word, and count less: longer ones that the last word of a
   * query begins, or likely spellings of a mistyped one.
   */
  completions?: readonly string[];
  isMistyped?: true;
  /** Words of the same meaning: see widen.ts. */
  alternatives?: readonly Alternative[];
}

/** Words that must follow each other, by surface form; one word alone must be there as typed. */
export type Phrase = readonly string[];

/**
 * A query understood. Concepts are wished for: any of them makes a match, more of them a better
 * one. What `required` and `excluded` say holds of every match.
 */
export interface ParsedQuery {
  text: string;
  /** What it says of places; undefined: nothing, or there is no region. */
  places?: QueryPlaces;
  /** Epoch ms; undefined: ages do not matter. */
  askedAt?: number;
  /** What operator and reader wish of hosts; undefined: nothing. */
  wishes?: HostWishes;
  /** It may be the name of a host; see navigational.ts. */
  name?: string | null;
  concepts: readonly Concept[];
  /** Place of the concept whose last word ends the query: it may be unfinished. */
  unfinished: number | null;
  /** Surface forms side by side in the query: documents that have them so are a little better. */
  neighbours: readonly (readonly [string, string])[];
  required: {
    /** Of each group one phrase at least. */
    phrases: readonly (readonly Phrase[])[];
    inTitle: readonly QueryWord[];
    /** Host names; the document's is one of them or below it. */
    sites: readonly string[];
    lang: string | null;
    /** Epoch ms, inclusive, on the published (else crawled) date. */
    from: number | null;
    to: number | null;
  };
  excluded: {
    phrases: readonly Phrase[];
    inTitle: readonly QueryWord[];
    sites: readonly string[];
    langs: readonly string[];
  };
}

const CONCEPTS_MAX = 32;
/** Of each operator; further ones are not read. */
const OPERATORS_MAX = 8;
const REPEATS_MAX = 3;

/**
 * Understands any input; what is no operator is text. Words beyond the bounds are left out. Stems
 * are those of the languages that documents have, when that is known.
 */
export function parseQuery(text: string, langs?: ReadonlySet<string>): ParsedQuery {
  const draft = new Draft(stemmedLanguages.filter((lang) => langs?.has(lang) ?? true));
  for (const lexeme of readLexemes(text)) draft.add(lexeme);
  return draft.finish(text.trim());
}

/** True when the query asks for nothing that could match. */
export function isEmptyQuery(query: ParsedQuery): boolean {
  const { phrases, inTitle, sites, lang, from, to } = query.required;
  const lists = [query.concepts, phrases, inTitle, sites];
  return lists.every((list) => list.length === 0) && (lang ?? from ?? to) === null;
}

/** The same with its phrases as mere words. */
export const withoutPhrases = (query: ParsedQuery): ParsedQuery => ({
  ...query,
  required: { ...query.required, phrases: [] },
});

/** The same with what its last word may become. */
export const withCompletions = (
  query: ParsedQuery,
  completions: readonly string[],
): ParsedQuery => ({
  ...query,
  concepts: query.concepts.map((concept, at) =>
    at === query.unfinished ? { ...concept, completions } : concept,
  ),
});

interface Group {
  words: QueryWord[];
  phrases: Phrase[];
  repeats: number;
}

class Draft {
  readonly #langs: readonly string[];
  readonly #groups: Group[] = [];
  readonly #neighbours: [string, string][] = [];
  readonly #required = {
    inTitle: [] as QueryWord[],
    sites: [] as string[],
    lang: null as string | null,
    from: null as number | null,
    to: null as number | null,
  };
  readonly #excluded = {
    phrases: [] as Phrase[],
    inTitle: [] as QueryWord[],
    sites: [] as string[],
    langs: [] as string[],
  };
  /** The group of the last word, of a phrase that of its first word: what OR joins. */
  #last: Group | null = null;
  #unfinished: Group | null = null;
  #joinsNext = false;
  #before: string | null = null;

  constructor(langs: readonly string[]) {
    this.#langs = langs;
  }

  add(lexeme: Lexeme): void {
    const required = this.#required;
    this.#unfinished = null;
    if (lexeme.kind === "or") this.#joinsNext = this.#last !== null;
    else if (lexeme.kind === "from")
      required.from = Math.max(required.from ?? lexeme.at, lexeme.at);
    else if (lexeme.kind === "to") required.to = Math.min(required.to ?? lexeme.at, lexeme.at);
    else if (lexeme.isExcluded) this.#exclude(lexeme);
    else if (lexeme.kind === "text") this.#addText(lexeme.text);
    else if (lexeme.kind === "phrase") this.#addPhrase(lexeme.text);
    else if (lexeme.kind === "in title") push(required.inTitle, this.#words(lexeme.text));
    else if (lexeme.kind === "site") push(required.sites, [lexeme.host]);
    else required.lang = lexeme.lang;
  }

  finish(text: string): ParsedQuery {
    const groups = withoutStopwords(this.#groups, this.#langs).slice(0, CONCEPTS_MAX);
    const unfinished = this.#unfinished ? groups.indexOf(this.#unfinished) : -1;
    const inTitle = this.#required.inTitle.map((word) => ({ words: [word], repeats: 1 }));
    const concepts = groups.map(({ words, repeats }) => ({ words, repeats }));
    const phrases = groups.map((group) => group.phrases).filter((group) => group.length > 0);
    return {
      text,
      concepts: [...concepts, ...inTitle].slice(0, CONCEPTS_MAX),
      unfinished: unfinished < 0 ? null : unfinished,
      neighbours: this.#neighbours.slice(0, CONCEPTS_MAX),
      required: { ...this.#required, phrases },
      excluded: this.#excluded,
    };
  }

  #exclude(lexeme: Exclude<Lexeme, { kind: "or" | "from" | "to" }>): void {
    if (lexeme.kind === "site") push(this.#excluded.sites, [lexeme.host]);
    else if (lexeme.kind === "lang") push(this.#excluded.langs, [lexeme.lang]);
    else {
      const words = this.#words(lexeme.text);
      if (lexeme.kind === "in title") push(this.#excluded.inTitle, words);
      else if (words.length > 0) push(this.#excluded.phrases, [words.map((word) => word.surface)]);
    }
  }

  #words(text: string): QueryWord[] {
    return queryWords(text, CONCEPTS_MAX, this.#langs);
  }

  #addText(text: string): void {
    for (const word of this.#words(text)) this.#last = this.#addWord(word, []);
    if (ENDS_IN_WORD.test(text)) this.#unfinished = this.#last;
  }

  #addPhrase(text: string): void {
    const surfaces = this.#words(text).map((word) => word.surface);
    for (const [at, surface] of surfaces.entries()) {
      const group = this.#addWord({ surface, stems: {} }, at === 0 ? [surfaces] : []);
      if (at === 0) this.#last = group;
    }
  }

  #addWord(word: QueryWord, phrases: Phrase[]): Group {
    if (this.#joinsNext && this.#last !== null) return this.#join(this.#last, word, phrases);
    if (this.#before !== null) this.#neighbours.push([this.#before, word.surface]);
    this.#before = word.surface;
    const same = this.#groups.find((group) => isSame(group, word, phrases));
    const group = same ?? { words: [word], phrases, repeats: 0 };
    group.repeats = Math.min(group.repeats + 1, REPEATS_MAX);
    if (same === undefined) this.#groups.push(group);
    return group;
  }

  /** Another alternative of a group; with a phrase among them the group is required as typed. */
  #join(group: Group, word: QueryWord, phrases: Phrase[]): Group {
    if (group.phrases.length > 0 || phrases.length > 0) {
      const own =
        group.phrases.length > 0 ? group.phrases : group.words.map((one) => [one.surface]);
      const other = phrases.length > 0 ? phrases : [[word.surface]];
      group.phrases = [...own, ...other].slice(0, OPERATORS_MAX);
    }
    group.words = [...group.words, word].slice(0, OPERATORS_MAX);
    this.#joinsNext = false;
    this.#before = null;
    return group;
  }
}

/** A shorter query may be a name made of such words: The Who, Die Hard. */
const SAID_IN_WORDS = 4;

/**
 * What a longer query says besides its stopwords, in the language of which it has most. Quoted
 * words, those joined by OR, and a query of nothing else stay.
 */
function withoutStopwords(groups: readonly Group[], langs: readonly string[]): readonly Group[] {
  if (groups.length < SAID_IN_WORDS) return groups;
  let best = groups;
  for (const lang of langs) {
    const stopwords = stopwordsOf(lang);
    const rest = groups.filter(({ words, phrases }) => {
      const isPlain = words.length === 1 && phrases.length === 0;
      return !(isPlain && stopwords.has(words[0]!.surface));
    });
    if (rest.length > 0 && rest.length < best.length) best = rest;
  }
  return best;
}

const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

const isSame = (group: Group, word: QueryWord, phrases: Phrase[]): boolean =>
  phrases.length === 0 && group.words.length === 1 && group.words[0]!.surface === word.surface;

function push<T>(list: T[], items: readonly T[]): void {
  list.push(...items.slice(0, OPERATORS_MAX - list.length));
}
