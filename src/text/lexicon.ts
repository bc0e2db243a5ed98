import { fold, spell } from "./fold.ts";
import { hashUnits } from "./hash.ts";
import { stems } from "./stem.ts";

/**
 * A term, and what the document being read says of it: counting in place needs no map a document.
 */
export class Term {
  readonly text: string;
  readonly hash: number;
  /** As people spell it, when that differs from `text`. */
  spelling: string | null = null;
  /** Which document the counts below belong to. */
  document = 0;
  body = 0;
  short = 0;
  isSurface = false;
  isSalient = false;
  inTitle = false;

  constructor(text: string) {
    this.text = text;
    this.hash = hashUnits(text, 0, text.length);
  }
}

/** What a raw word of a text means in one language. */
export interface Word {
  raw: string;
  /** Null when folding left nothing of it. */
  surface: Term | null;
  /** Its stems; of a gram its characters, so that a search for one finds it. */
  others: readonly Term[];
  isGram: boolean;
}

/** Words remembered in a language; beyond it all are forgotten at once (some 10 MB). */
const WORDS_MAX = 1 << 16;
const SLOTS = WORDS_MAX * 2;
const LANGUAGES_MAX = 4;

/**
 * The words of one language as met so far: a text then costs a lookup a word, not folding and
 * stemming. An open hash table that compares in place: a Map would need a copy of each word.
 */
export class Lexicon {
  readonly lang: string | null;
  readonly #slots: (Word | undefined)[] = new Array(SLOTS).fill(undefined);
  readonly #terms = new Map<string, Term>();
  #size = 0;

  constructor(lang: string | null) {
    this.lang = lang;
  }

  word(text: string, start: number, end: number, isGram: boolean): Word {
    let slot = hashUnits(text, start, end) & (SLOTS - 1);
    for (;;) {
      const word = this.#slots[slot];
      if (word === undefined) return this.#learn(text.slice(start, end), slot, isGram);
      if (isAt(text, start, end, word.raw)) return word;
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  #learn(raw: string, slot: number, isGram: boolean): Word {
    const word = this.#meaning(raw, isGram);
    if (++this.#size > WORDS_MAX) this.#forget();
    else this.#slots[slot] = word;
    return word;
  }

  /** Terms are forgotten too, so a document under way may count one twice: once in 65,536 words. */
  #forget(): void {
    this.#slots.fill(undefined);
    this.#terms.clear();
    this.#size = 0;
  }

  #meaning(raw: string, isGram: boolean): Word {
    const spelling = spell(raw);
    const folded = fold(spelling);
    if (folded === "") return { raw, surface: null, others: [], isGram };
    const surface = this.#term(folded);
    if (spelling !== folded) surface.spelling = spelling;
    const others = isGram ? charactersOf(folded) : stems(spelling, this.lang);
    return { raw, surface, others: others.map((text) => this.#term(text)), isGram };
  }

  #term(text: string): Term {
    const known = this.#terms.get(text);
    if (known !== undefined) return known;
    const term = new Term(text);
    this.#terms.set(text, term);
    return term;
  }
}

const lexicons = new Map<string | null, Lexicon>();

/** One lexicon a language; the one not used for longest makes room. */
export function lexiconOf(lang: string | null): Lexicon {
  const lexicon = lexicons.get(lang) ?? new Lexicon(lang);
  lexicons.delete(lang);
  lexicons.set(lang, lexicon);
  if (lexicons.size > LANGUAGES_MAX) lexicons.delete(lexicons.keys().next().value!);
  return lexicon;
}

function isAt(text: string, start: number, end: number, raw: string): boolean {
  const length = end - start;
  if (raw.length !== length) return false;
  for (let at = 0; at < length; at++) {
    if (text.charCodeAt(start + at) !== raw.charCodeAt(at)) return false;
  }
  return true;
}

function charactersOf(gram: string): string[] {
  const characters = [...new Set(gram)];
  return characters.length > 1 ? characters : [];
}
