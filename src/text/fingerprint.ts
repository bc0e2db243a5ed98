import { hashUnits, mix } from "./hash.ts";
import { Words } from "./tokenise.ts";

/** Shorter texts are too often the same by chance: "Page not found". */
const HASHED_CHARACTERS_MIN = 200;
const SIMHASH_WORDS_MIN = 50;
/** Words read for the simhash; what follows hardly turns a bit of it. */
const SIMHASH_WORDS_MAX = 20_000;
const SHINGLE_WORDS = 3;

/**
 * First 128 bits of sha256 of the text as a uuid; case, width and spaces do not count. Null under
 * 200 characters.
 */
export function contentHash(text: string): string | null {
  const plain = text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  if (plain.length < HASHED_CHARACTERS_MIN) return null;
  const hex = new Bun.CryptoHasher("sha256").update(plain).digest("hex");
  const part = (from: number, to: number) => hex.slice(from, to);
  return [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-");
}

/**
 * 64-bit simhash over shingles of 3 words, as a decimal string of a signed bigint; null under 50
 * words. Single words instead of shingles pair 5 % of strangers.
 */
export function simhash(text: string): string | null {
  const lower = text.toLowerCase();
  const words = new Words(lower);
  const tallies = new Uint32Array(8 * 256);
  let count = 0;
  let before = 0;
  let last = 0;
  while (count < SIMHASH_WORDS_MAX && words.next()) {
    const hash = hashUnits(lower, words.start, words.end);
    if (++count >= SHINGLE_WORDS) tally(tallies, before, last, hash);
    before = last;
    last = hash;
  }
  return count < SIMHASH_WORDS_MIN ? null : BigInt.asIntN(64, majority(tallies)).toString();
}

/**
 * Counting bytes and reading their bits once at the end is four times faster than counting bits.
 */
function tally(tallies: Uint32Array, first: number, second: number, third: number): void {
  const seed = Math.imul(first, 31) + Math.imul(second, 17) + third;
  const low = mix(seed);
  const high = mix(seed ^ 0x9e3779b9);
  for (let byte = 0; byte < 4; byte++) {
    tallies[(byte << 8) | ((low >>> (byte * 8)) & 255)]!++;
    tallies[((byte + 4) << 8) | ((high >>> (byte * 8)) & 255)]!++;
  }
}

/** Each bit as most shingles have it. */
function majority(tallies: Uint32Array): bigint {
  const votes = new Int32Array(64);
  for (let at = 0; at < tallies.length; at++) {
    const count = tallies[at]!;
    if (count === 0) continue;
    for (let bit = 0; bit < 8; bit++) {
      votes[(at >> 8) * 8 + bit]! += ((at >> bit) & 1) === 1 ? count : -count;
    }
  }
  return [...votes].reduceRight((value, vote) => (value << 1n) | (vote > 0 ? 1n : 0n), 0n);
}
