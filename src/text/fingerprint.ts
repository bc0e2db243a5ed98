import { mix } from "./hash.ts";

/** Shorter texts are too often the same by chance: "Page not found". */
const HASHED_CHARACTERS_MIN = 200;
const SIMHASH_WORDS_MIN = 50;
/** Words read for the simhash; what follows hardly turns a bit of it. */
const SIMHASH_WORDS_MAX = 20_000;
const SHINGLE_WORDS = 3;
const BYTES = 8;

/**
 * First 128 bits of sha256 of the text as a uuid; case, width and spaces do not count. Null under
 * 200 characters.
 */
export function contentHash(text: string): string | null {
  // Only what is not yet a single plain space: replacing each takes as long as all the rest.
  const spaced = text.normalize("NFKC").replace(/\s{2,}|[^\S ]/g, " ");
  const plain = spaced.toLowerCase().trim();
  if (plain.length < HASHED_CHARACTERS_MIN) return null;
  const hex = new Bun.CryptoHasher("sha256").update(plain).digest("hex");
  const part = (from: number, to: number) => hex.slice(from, to);
  return [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-");
}

/**
 * 64-bit simhash over shingles of 3 words, fed with their hashes as a text is read: null under 50
 * words. Single words instead of shingles pair 5 % of strangers.
 */
export class Simhash {
  /** Counting bytes and reading their bits once at the end is faster than counting bits. */
  readonly #tallies = new Int32Array(BYTES * 256);
  #words = 0;
  #before = 0;
  #last = 0;

  add(hash: number): void {
    if (this.#words === SIMHASH_WORDS_MAX) return;
    if (++this.#words >= SHINGLE_WORDS) {
      this.#tally(Math.imul(this.#before, 31) + Math.imul(this.#last, 17) + hash);
    }
    this.#before = this.#last;
    this.#last = hash;
  }

  /** A decimal string of a signed bigint. */
  value(): string | null {
    if (this.#words < SIMHASH_WORDS_MIN) return null;
    let low = 0;
    let high = 0;
    for (let byte = 0; byte < BYTES / 2; byte++) {
      low |= this.#majority(byte) << (byte * 8);
      high |= this.#majority(byte + BYTES / 2) << (byte * 8);
    }
    return ((BigInt(high) << 32n) | BigInt(low >>> 0)).toString();
  }

  #tally(seed: number): void {
    const tallies = this.#tallies;
    const low = mix(seed);
    const high = mix(seed ^ 0x9e3779b9);
    for (let byte = 0; byte < BYTES / 2; byte++) {
      tallies[(byte << 8) | ((low >>> (byte * 8)) & 255)]!++;
      tallies[((byte + BYTES / 2) << 8) | ((high >>> (byte * 8)) & 255)]!++;
    }
  }

  /** Each bit of a byte as most shingles have it; its counts are used up. */
  #majority(byte: number): number {
    const counts = this.#tallies.subarray(byte << 8, (byte + 1) << 8);
    let bits = 0;
    for (let bit = 7; bit >= 0; bit--) {
      const half = 1 << bit;
      let vote = 0;
      for (let at = 0; at < half; at++) {
        const without = counts[at]!;
        const having = counts[at + half]!;
        vote += having - without;
        // What remains to be told are the lower bits.
        counts[at] = without + having;
      }
      if (vote > 0) bits |= half;
    }
    return bits;
  }
}
