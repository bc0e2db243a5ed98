import { mixed } from "./hash.ts";

/**
 * What a page hands over of its text, for the question whether a host still says anything new: a
 * sample of its shingles of 3 words, and a hash that the order of its paragraphs does not change.
 * Shingles end with their paragraph, so that the same items in another order or choice are nothing
 * new; digits and the words of the page's own query are folded. A shingle is sampled when the last
 * bits of its hash, as many as the level, are 0: so the samples of two pages are of the same ones.
 * Layout: level, hash (two words), number of words, the sample.
 */
export type TextSample = Int32Array<ArrayBuffer> & { readonly brand: "TextSample" };

export const SAMPLE_MAX = 48;
const HEADER = 4;
const WORDS = 3;
const FOLDED = 0x51ed270b;
const LEVEL_MAX = 16;

export const levelOf = (sample: TextSample): number => sample[0]!;
export const wordsOf = (sample: TextSample): number => sample[3]!;
export const shinglesOf = (sample: TextSample): Int32Array => sample.subarray(HEADER);
/** Whatever the order of its paragraphs. */
export const textHashOf = (sample: TextSample): number => sample[1]! ^ (sample[2]! << 1);
export const isSameText = (a: TextSample, b: TextSample): boolean =>
  a[1] === b[1] && a[2] === b[2] && a[3] === b[3];

const level = (bits: number): number => (1 << bits) - 1;

/** Does a shingle belong to the sample of a level? */
export const isAtLevel = (hash: number, bits: number): boolean => (hash & level(bits)) === 0;

/** Takes the words of one text after the other: a thread reads one at a time. */
export class ShingleSampler {
  readonly #sample = new Int32Array(SAMPLE_MAX + 1);
  #count = 0;
  #level = 0;
  #words = 0;
  #low = 0;
  #high = 0;
  #echoes: ReadonlySet<number> = new Set();
  /** The last two words of the paragraph, and how many it has. */
  #before = 0;
  #last = 0;
  #inParagraph = 0;
  #paragraph = 0;

  /** `echoes`: hashes of words that stand in the page's own query. */
  begin(echoes: ReadonlySet<number>): void {
    this.#count = 0;
    this.#level = 0;
    this.#words = 0;
    this.#low = 0;
    this.#high = 0;
    this.#echoes = echoes;
    this.#inParagraph = 0;
    this.#paragraph = 0;
  }

  word(hash: number, isNumber: boolean): void {
    const isEcho = this.#echoes.size > 0 && this.#echoes.has(hash);
    this.#words++;
    this.#paragraph = Math.imul(this.#paragraph, 31) + (isEcho ? FOLDED : hash);
    const word = isEcho || isNumber ? FOLDED : hash;
    if (++this.#inParagraph >= WORDS) this.#add(shingle(this.#before, this.#last, word));
    this.#before = this.#last;
    this.#last = word;
  }

  /** A paragraph is over; one of a word or two is a shingle by itself. */
  end(): void {
    if (this.#inParagraph === 0) return;
    if (this.#inParagraph === 2) this.#add(shingle(1, this.#before, this.#last));
    if (this.#inParagraph === 1) this.#add(shingle(1, 1, this.#last));
    this.#low = (this.#low + mixed(this.#paragraph)) | 0;
    this.#high = (this.#high + mixed(this.#paragraph ^ 0x9e3779b9)) | 0;
    this.#inParagraph = 0;
    this.#paragraph = 0;
  }

  /** A buffer of its own. */
  take(): TextSample {
    this.end();
    const taken = new Int32Array(HEADER + this.#count);
    taken.set([this.#level, this.#low, this.#high, this.#words]);
    taken.set(this.#sample.subarray(0, this.#count), HEADER);
    return taken as TextSample;
  }

  #add(hash: number): void {
    if (!isAtLevel(hash, this.#level)) return;
    const sample = this.#sample;
    for (let at = 0; at < this.#count; at++) if (sample[at] === hash) return;
    sample[this.#count++] = hash;
    while (this.#count > SAMPLE_MAX && this.#level < LEVEL_MAX) this.#rise();
    if (this.#count > SAMPLE_MAX) this.#count = SAMPLE_MAX;
  }

  #rise(): void {
    this.#level++;
    let kept = 0;
    for (let at = 0; at < this.#count; at++) {
      const hash = this.#sample[at]!;
      if (isAtLevel(hash, this.#level)) this.#sample[kept++] = hash;
    }
    this.#count = kept;
  }
}

/** Never 0, which stands for an empty place. */
const shingle = (a: number, b: number, c: number): number =>
  mixed(Math.imul(a, 31) + Math.imul(b, 17) + c) || 1;
