import { withPlace } from "./grow.ts";
import { hashText, STEPS_MAX, slotOf } from "./hash.ts";

const TERMS_FIRST = 1 << 10;
/** Bytes of a text at most: WORD_UNITS_MAX units of three bytes each. */
const TEXT_BYTES_MAX = 192;

/** Numbers of a term in `TermTable.terms`. */
export const TERM_SIZE = 4;
/** Which document the counts belong to: counting in place needs no map a document. */
export const DOCUMENT = 0;
/** What that document says of it: see forward.ts. */
export const COUNTS = 1;
export const HASH = 2;
/** Where its text lies in `bytes`. */
const TEXT = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The terms of a lexicon by number; their texts are UTF-8 behind a byte that tells the length. */
export class TermTable {
  terms = new Int32Array(TERMS_FIRST * TERM_SIZE);
  /** Where the spelling of each term lies in `bytes`: 0 when it is the term itself. */
  spellings = new Int32Array(TERMS_FIRST);
  bytes = new Uint8Array(TERMS_FIRST * 16);
  /** Open addressing: terms counted from 1 (0: free). */
  #slots = new Int32Array(TERMS_FIRST * 2);
  #bytesUsed = 1;
  #size = 0;

  /** Where the term of that text lies in `terms`; -1: too many have its very hash. */
  term(text: string): number {
    const hash = hashText(text) | 0;
    const at = this.#write(text);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = slotOf(hash) & mask;
    for (let steps = 0; slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (++steps > STEPS_MAX) return -1;
      const term = (slots[slot]! - 1) * TERM_SIZE;
      if (this.terms[term + HASH] === hash && this.#isText(term, at)) return term;
    }
    return this.#add(slot, hash, at);
  }

  /** As people spell it, when that differs from its text. */
  spell(term: number, spelling: string): void {
    const at = this.#write(spelling);
    this.#bytesUsed = at + 1 + this.bytes[at]!;
    this.spellings[term / TERM_SIZE] = at;
  }

  text(term: number): string {
    const at = this.terms[term + TEXT]!;
    return decoder.decode(this.bytes.subarray(at + 1, at + 1 + this.bytes[at]!));
  }

  /** The texts of the first `count` terms of a list, space separated. */
  join(list: Int32Array, count: number): string {
    let length = 0;
    for (let at = 0; at < count; at++) {
      length = this.#append(this.terms[list[at]! + TEXT]!, length);
    }
    return joinedTo(length);
  }

  /** The same with spellings, of the terms that have one: `ecole école`. */
  joinSpellings(list: Int32Array, count: number): string {
    let length = 0;
    for (let at = 0; at < count; at++) {
      const term = list[at]!;
      const spelling = this.spellings[term / TERM_SIZE]!;
      if (spelling === 0) continue;
      length = this.#append(this.terms[term + TEXT]!, length);
      length = this.#append(spelling, length);
    }
    return joinedTo(length);
  }

  /** Writes a text and a space behind what was joined so far; returns the new length of that. */
  #append(at: number, length: number): number {
    const { bytes } = this;
    const end = at + bytes[at]!;
    if (length + TEXT_BYTES_MAX >= joined.length) joined = withPlace(joined, joined.length);
    let to = length;
    for (let from = at; from < end; ) joined[to++] = bytes[++from]!;
    joined[to++] = SPACE;
    return to;
  }

  /** Writes a text behind all others, where it is not yet kept. */
  #write(text: string): number {
    const at = this.#bytesUsed;
    this.bytes = withPlace(this.bytes, at + TEXT_BYTES_MAX);
    const { bytes } = this;
    const { length } = text;
    for (let place = 0; place < length; place++) {
      const code = text.charCodeAt(place);
      if (code > 127) return this.#encode(text, at);
      bytes[at + 1 + place] = code;
    }
    bytes[at] = length;
    return at;
  }

  #encode(text: string, at: number): number {
    this.bytes[at] = encoder.encodeInto(text, this.bytes.subarray(at + 1)).written;
    return at;
  }

  #isText(term: number, at: number): boolean {
    const { bytes } = this;
    const own = this.terms[term + TEXT]!;
    const length = bytes[at]!;
    for (let place = 0; place <= length; place++) {
      if (bytes[own + place] !== bytes[at + place]) return false;
    }
    return true;
  }

  #add(slot: number, hash: number, at: number): number {
    const term = this.#size * TERM_SIZE;
    this.terms = withPlace(this.terms, term + TERM_SIZE);
    this.spellings = withPlace(this.spellings, this.#size);
    this.terms[term + HASH] = hash;
    this.terms[term + TEXT] = at;
    this.#bytesUsed = at + 1 + this.bytes[at]!;
    this.#slots[slot] = ++this.#size;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return term;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 1; number <= this.#size; number++) {
      let slot = slotOf(this.terms[(number - 1) * TERM_SIZE + HASH]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

const SPACE = 0x20;
/** Scratch of `join`, used again for each list. */
let joined = new Uint8Array(1 << 14);

/** What was joined, without the space at its end. */
const joinedTo = (length: number): string =>
  length === 0 ? "" : decoder.decode(joined.subarray(0, length - 1));
