import { fold, spell } from "./fold.ts";
import { withPlace } from "./grow.ts";
import { HASH_START, hashUnit, mixed, STEPS_MAX, slotOf } from "./hash.ts";
import { stems } from "./stem.ts";
import { TermTable } from "./term-table.ts";
import type { Words } from "./tokenise.ts";

/** Words remembered in a language; when there are more, all are forgotten before the next text. */
const WORDS_MAX = 1 << 16;
const LANGUAGES_MAX = 4;
const WORDS_FIRST = 1 << 10;

/** Numbers of a word in `Lexicon.words`. */
export const WORD_SIZE = 4;
/** The term of its folded form; -1: there is none, folding left nothing of it. */
export const SURFACE = 0;
/** Where its other terms begin in `Lexicon.others`: stems, or the characters of a gram. */
export const OTHERS = 1;
/** How many those are, whether it is a gram, and its length. */
export const SHAPE = 2;
const UNITS = 3;

export const COUNT_MASK = 0x7fff;
export const GRAM = 0x8000;
const LENGTH_SHIFT = 16;

/** Of a slot: WORDS_MAX and the words of one text have room in a number. */
const NUMBER_MASK = 0x3ffff;
const TAG_MASK = ~NUMBER_MASK;

/**
 * The words of one language as met so far: a text then costs a lookup a word, not folding and
 * stemming. All is numbers in a few arrays, compared in place: with objects, and a Map of the
 * terms, a text took three times as long, and each collection of garbage walked through them all.
 */
export class Lexicon {
  readonly lang: string | null;
  readonly table = new TermTable();
  words = new Int32Array(WORDS_FIRST * WORD_SIZE);
  others = new Int32Array(WORDS_FIRST);
  /** Open addressing: the number of a word, counted from 1 (0: free), and the top of its hash. */
  #slots = new Int32Array(WORDS_FIRST * 2);
  /** The raw words, one after the other. */
  #units = new Uint16Array(WORDS_FIRST * 8);
  #unitsUsed = 0;
  #othersUsed = 0;
  #size = 0;
  /** What `forms` told, by number of the word. */
  #forms: (readonly string[] | undefined)[] = [];

  constructor(lang: string | null) {
    this.lang = lang;
  }

  /** Where the word at which the cursor stands lies in `words`; -1: it is not read. */
  word(cursor: Words): number {
    const { hash } = cursor;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = slotOf(hash) & mask, steps = 0; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]!;
      if (entry === 0) return this.#learn(cursor, slot);
      if (++steps > STEPS_MAX) return -1;
      const word = ((entry & NUMBER_MASK) - 1) * WORD_SIZE;
      if (((entry ^ hash) & TAG_MASK) === 0 && this.#isAt(word, cursor)) return word;
    }
  }

  /** The folded form of a word and its stems; of a gram only itself. */
  forms(word: number): readonly string[] {
    if (word < 0) return [];
    const known = this.#forms[word / WORD_SIZE];
    if (known !== undefined) return known;
    const forms = this.#formsOf(word);
    this.#forms[word / WORD_SIZE] = forms;
    return forms;
  }

  /** A text that is being read still has room: another lexicon is for the next one. */
  get isFull(): boolean {
    return this.#size > WORDS_MAX;
  }

  #isAt(word: number, cursor: Words): boolean {
    const { units, start } = cursor;
    const length = cursor.end - start;
    if (this.words[word + SHAPE]! >>> LENGTH_SHIFT !== length) return false;
    const own = this.#units;
    const at = this.words[word + UNITS]!;
    for (let place = 0; place < length; place++) {
      if (own[at + place] !== units[start + place]) return false;
    }
    return true;
  }

  #learn({ text, units, start, end, hash, isGram }: Words, slot: number): number {
    const word = this.#size * WORD_SIZE;
    this.words = withPlace(this.words, word + WORD_SIZE);
    this.#slots[slot] = (hash & TAG_MASK) | ++this.#size;
    const count = this.#mean(word, text.slice(start, end), isGram);
    this.words[word + SHAPE] = ((end - start) << LENGTH_SHIFT) | (isGram ? GRAM : 0) | count;
    this.words[word + UNITS] = this.#unitsUsed;
    this.#units = withPlace(this.#units, this.#unitsUsed + end - start);
    for (let at = start; at < end; at++) this.#units[this.#unitsUsed++] = units[at]!;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return word;
  }

  /** Notes the terms of a word; returns how many there are beside its surface. */
  #mean(word: number, raw: string, isGram: boolean): number {
    const spelling = spell(raw);
    const folded = fold(spelling);
    this.words[word + OTHERS] = this.#othersUsed;
    const surface = folded === "" ? -1 : this.table.term(folded);
    this.words[word + SURFACE] = surface;
    if (surface < 0) return 0;
    if (spelling !== folded) this.table.spell(surface, spelling);
    const others = isGram ? charactersOf(folded) : stems(spelling, this.lang, folded);
    let count = 0;
    for (let at = 0; at < others.length; at++) {
      const term = this.table.term(others[at]!);
      if (term < 0) continue;
      this.others = withPlace(this.others, this.#othersUsed);
      this.others[this.#othersUsed++] = term;
      count++;
    }
    return count;
  }

  #formsOf(word: number): readonly string[] {
    const surface = this.words[word + SURFACE]!;
    if (surface < 0) return [];
    const shape = this.words[word + SHAPE]!;
    const forms = [this.table.text(surface)];
    if ((shape & GRAM) !== 0) return forms;
    const from = this.words[word + OTHERS]!;
    for (let at = 0; at < (shape & COUNT_MASK); at++) {
      forms.push(this.table.text(this.others[from + at]!));
    }
    return forms;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 1; number <= this.#size; number++) {
      const hash = this.#hash((number - 1) * WORD_SIZE);
      let slot = slotOf(hash) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = (hash & TAG_MASK) | number;
    }
    this.#slots = slots;
  }

  #hash(word: number): number {
    const from = this.words[word + UNITS]!;
    const end = from + (this.words[word + SHAPE]! >>> LENGTH_SHIFT);
    let hash = HASH_START;
    for (let at = from; at < end; at++) hash = hashUnit(hash, this.#units[at]!);
    return mixed(hash);
  }
}

const lexicons = new Map<string | null, Lexicon>();

/** One lexicon a language, to read one text with; the one not used for longest makes room. */
export function lexiconOf(lang: string | null): Lexicon {
  const known = lexicons.get(lang);
  const lexicon = known === undefined || known.isFull ? new Lexicon(lang) : known;
  lexicons.delete(lang);
  lexicons.set(lang, lexicon);
  if (lexicons.size > LANGUAGES_MAX) lexicons.delete(lexicons.keys().next().value!);
  return lexicon;
}

function charactersOf(gram: string): string[] {
  const characters = [...new Set(gram)];
  return characters.length > 1 ? characters : [];
}
