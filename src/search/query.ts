import { fold, spell } from "../text/fold.ts";
import { stemmedLanguages, stems } from "../text/stem.ts";
import { Words } from "../text/tokenise.ts";
import { type Lexeme, readLexemes } from "./lexemes.ts";

/** A word as typed, folded, and what it becomes in each language where a stemmer changes it. */
export interface QueryWord {
  surface: string;
  stems: Readonly<Record<string, readonly string[]>>;
}

/** One thing asked for: a word, or several joined by OR, of which any will do. */
export interface Concept {
  words: readonly QueryWord[];
  /** How often the query says it. */
  repeats: number;
}

/** Words that must follow each other, by surface form; one word alone must be there as typed. */
export type Phrase = readonly string[];

/**
 * A query understood. Concepts are wished for: any of them makes a match, more of them a better one.
 * What `required` and `excluded` say holds of every match.
 */
export interface ParsedQuery {
  text: string;
  concepts: readonly Concept[];
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

/** Understands any input; what is no operator is text. Words beyond the bounds are left out. */
export function parseQuery(text: string): ParsedQuery {
  const draft = new Draft();
  for (const lexeme of readLexemes(text)) draft.add(lexeme);
  return draft.finish(text.trim());
}

/** True when the query asks for nothing that could match. */
export function isEmptyQuery(query: ParsedQuery): boolean {
  const { phrases, inTitle, sites, lang, from, to } = query.required;
  const lists = [query.concepts, phrases, inTitle, sites];
  return lists.every((list) => list.length === 0) && (lang ?? from ?? to) === null;
}

type OpenGroup = { words: QueryWord[]; phrases: Phrase[]; repeats: number };

class Draft {
  readonly #groups: OpenGroup[] = [];
  readonly #inTitle: QueryWord[] = [];
  readonly #sites: string[] = [];
  readonly #excluded = {
    phrases: [] as Phrase[],
    inTitle: [] as QueryWord[],
    sites: [] as string[],
    langs: [] as string[],
  };
  readonly #neighbours: [string, string][] = [];
  #lang: string | null = null;
  #from: number | null = null;
  #to: number | null = null;
  #joinNext = false;
  #before: string | null = null;

  add(lexeme: Lexeme): void {
    switch (lexeme.kind) {
      case "or":
        this.#joinNext = this.#groups.length > 0;
        return;
      case "text":
        return this.#addText(lexeme.text, lexeme.isExcluded);
      case "phrase":
        return this.#addPhrase(lexeme.text, lexeme.isExcluded);
      case "in title":
        return this.#addInTitle(lexeme.text, lexeme.isExcluded);
      case "site":
        return push(lexeme.isExcluded ? this.#excluded.sites : this.#sites, lexeme.host);
      case "lang":
        if (lexeme.isExcluded) push(this.#excluded.langs, lexeme.lang);
        else this.#lang = lexeme.lang;
        return;
      case "from":
        this.#from = Math.max(this.#from ?? lexeme.at, lexeme.at);
        return;
      case "to":
        this.#to = Math.min(this.#to ?? lexeme.at, lexeme.at);
        return;
      default:
        lexeme satisfies never;
    }
  }

  finish(text: string): ParsedQuery {
    const groups = this.#groups.slice(0, CONCEPTS_MAX);
    return {
      text,
      concepts: [
        ...groups.map(({ words, repeats }) => ({ words, repeats })),
        ...this.#inTitle.map((word) => ({ words: [word], repeats: 1 })),
      ].slice(0, CONCEPTS_MAX),
      neighbours: this.#neighbours.slice(0, CONCEPTS_MAX),
      required: {
        phrases: groups.map((group) => group.phrases).filter((phrases) => phrases.length > 0),
        inTitle: this.#inTitle,
        sites: this.#sites,
        lang: this.#lang,
        from: this.#from,
        to: this.#to,
      },
      excluded: this.#excluded,
    };
  }

  #addText(text: string, isExcluded: boolean): void {
    const words = wordsOf(text);
    if (isExcluded) return this.#exclude(words);
    for (const word of words) {
      this.#join({ words: [word], phrases: [], repeats: 1 });
      this.#follow(word);
    }
  }

  #addPhrase(text: string, isExcluded: boolean): void {
    const words = wordsOf(text);
    if (isExcluded || words.length === 0) return this.#exclude(words);
    const exact = words.map(({ surface }) => ({ surface, stems: {} }));
    const phrase = words.map(({ surface }) => surface);
    exact.forEach((word, at) => {
      this.#join({ words: [word], phrases: at === 0 ? [phrase] : [], repeats: 1 });
      this.#follow(word);
    });
  }

  #addInTitle(text: string, isExcluded: boolean): void {
    for (const word of wordsOf(text)) {
      push(isExcluded ? this.#excluded.inTitle : this.#inTitle, word);
    }
  }

  #exclude(words: readonly QueryWord[]): void {
    if (words.length > 0)
      push(
        this.#excluded.phrases,
        words.map((word) => word.surface),
      );
  }

  /** A new group, another alternative of the last one after OR, or one more of a known word. */
  #join(group: OpenGroup): void {
    const last = this.#groups.at(-1);
    if (this.#joinNext && last !== undefined) {
      this.#joinNext = false;
      // One side is a phrase: then the other side is required as it is typed.
      if (last.phrases.length + group.phrases.length > 0) {
        last.phrases = [...phrasesOf(last), ...phrasesOf(group)].slice(0, OPERATORS_MAX);
      }
      last.words = [...last.words, ...group.words].slice(0, OPERATORS_MAX);
      this.#before = null;
      return;
    }
    const same = this.#groups.find((known) => isSame(known, group));
    if (same !== undefined) same.repeats = Math.min(same.repeats + 1, REPEATS_MAX);
    else this.#groups.push(group);
  }

  #follow(word: QueryWord): void {
    if (this.#before !== null && this.#before !== word.surface) {
      this.#neighbours.push([this.#before, word.surface]);
    }
    this.#before = word.surface;
  }
}

function isSame(known: OpenGroup, group: OpenGroup): boolean {
  const isPlain = known.words.length === 1 && group.phrases.length === 0;
  return isPlain && known.words[0]!.surface === group.words[0]!.surface;
}

function phrasesOf(group: OpenGroup): readonly Phrase[] {
  if (group.phrases.length > 0) return group.phrases;
  return group.words.map((word) => [word.surface]);
}

function push<T>(list: T[], item: T): void {
  if (list.length < OPERATORS_MAX) list.push(item);
}

function wordsOf(text: string): QueryWord[] {
  const words: QueryWord[] = [];
  const cursor = new Words(text);
  while (words.length < CONCEPTS_MAX && cursor.next()) {
    const spelling = spell(text.slice(cursor.start, cursor.end));
    const surface = fold(spelling);
    if (surface !== "") words.push({ surface, stems: cursor.isGram ? {} : stemsOf(spelling) });
  }
  return words;
}

/** Words met in queries lately: stemming in every language costs 0.1 ms a word. */
const STEMS_KEPT_MAX = 5_000;
const known = new Map<string, QueryWord["stems"]>();

function stemsOf(spelling: string): QueryWord["stems"] {
  const kept = known.get(spelling);
  if (kept !== undefined) return kept;
  const found: Record<string, readonly string[]> = {};
  for (const lang of stemmedLanguages) {
    const own = stems(spelling, lang);
    if (own.length > 0) found[lang] = own;
  }
  if (known.size >= STEMS_KEPT_MAX) known.clear();
  known.set(spelling, found);
  return found;
}
