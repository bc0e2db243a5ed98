import { fold, spell } from "./fold.ts";
import { hashText } from "./hash.ts";
import { stems } from "./stem.ts";
import type { Words } from "./tokenise.ts";

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
    this.hash = hashText(text);
  }
}

/** What a raw word of a text means in one language. */
export interface Word {
  /** Of the raw word, and where its units lie in the lexicon. */
  hash: number;
  at: number;
  length: number;
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
const UNITS_FIRST = 1 << 14;

/**
 * The words of one language as met so far: a text then costs a lookup a word, not folding and
 * stemming. An open hash table that compares in place: a Map would need a copy of each word.
 */
export class Lexicon {
  readonly lang: string | null;
  readonly #slots: (Word | undefined)[] = new Array(SLOTS).fill(undefined);
  readonly #terms = new Map<string, Term>();
  /** The raw words, one after the other. */
  #units = new Uint16Array(UNITS_FIRST);
  #unitsUsed = 0;
  #size = 0;

  constructor(lang: string | null) {
    this.lang = lang;
  }

  /** The word at which the cursor stands. */
  word(words: Words): Word {
    const { hash, units, start, end } = words;
    let slot = hash & (SLOTS - 1);
    for (;;) {
      const word = this.#slots[slot];
      if (word === undefined) return this.#learn(words, slot);
      if (word.hash === hash && this.#isAt(word, units, start, end)) return word;
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  #isAt({ at, length }: Word, units: Uint16Array, start: number, end: number): boolean {
    if (end - start !== length) return false;
    const own = this.#units;
    for (let place = 0; place < length; place++) {
      if (own[at + place] !== units[start + place]) return false;
    }
    return true;
  }

  #learn({ text, units, start, end, hash, isGram }: Words, slot: number): Word {
    const { surface, others } = this.#meaning(text.slice(start, end), isGram);
    const at = this.#keep(units.subarray(start, end));
    const word = { hash, at, length: end - start, surface, others, isGram };
    if (++this.#size > WORDS_MAX) this.#forget();
    else this.#slots[slot] = word;
    return word;
  }

  #keep(units: Uint16Array): number {
    const at = this.#unitsUsed;
    if (at + units.length > this.#units.length) {
      const larger = new Uint16Array(this.#units.length * 2);
      larger.set(this.#units);
      this.#units = larger;
    }
    this.#units.set(units, at);
    this.#unitsUsed = at + units.length;
    return at;
  }

  /** Terms are forgotten too, so a document under way may count one twice: once in 65,536 words. */
  #forget(): void {
    this.#slots.fill(undefined);
    this.#terms.clear();
    this.#unitsUsed = 0;
    this.#size = 0;
  }

  #meaning(raw: string, isGram: boolean): Pick<Word, "surface" | "others"> {
    const spelling = spell(raw);
    const folded = fold(spelling);
    if (folded === "") return { surface: null, others: [] };
    const surface = this.#term(folded);
    if (spelling !== folded) surface.spelling = spelling;
    const others = isGram ? charactersOf(folded) : stems(spelling, this.lang);
    return { surface, others: others.map((text) => this.#term(text)) };
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

function charactersOf(gram: string): string[] {
  const characters = [...new Set(gram)];
  return characters.length > 1 ? characters : [];
}
