import { mixed } from "./hash.ts";
import { withFewMarks } from "./marks.ts";

/** Shorter texts are too often the same by chance: "Page not found". */
const HASHED_CHARACTERS_MIN = 200;
const SIMHASH_WORDS_MIN = 50;
/** Words read for the simhash; what follows hardly turns a bit of it. */
const SIMHASH_WORDS_MAX = 20_000;
const SHINGLE_WORDS = 3;
const BYTES = 8;

export interface TextHashes {
  /** First 128 bits of sha256 of the text as a uuid; case, width and spaces do not count. */
  readonly textHash: string;
  /** The same, by which pages are duplicates: null under 200 characters. */
  readonly contentHash: string | null;
}

export function hashesOf(text: string): TextHashes {
  const plain = spaced(withFewMarks(text).normalize("NFKC")).toLowerCase().trim();
  const hex = Bun.CryptoHasher.hash("sha256", plain, "hex");
  const textHash =
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}` +
    `-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
  return { textHash, contentHash: plain.length < HASHED_CHARACTERS_MIN ? null : textHash };
}

/** Every run of white space as one space. */
function spaced(text: string): string {
  // Main texts are spaced but for their line ends: replacing each takes as long as all the rest.
  const lines = text.replaceAll("\n", " ");
  const isSpaced = !(lines.includes("  ") || lines.includes("\u00a0") || ODD_SPACE.test(lines));
  return isSpaced ? lines : text.replace(/\s{2,}|[^\S ]/g, " ");
}

/** White space but for the plain and the no-break space, which are looked for faster alone. */
const ODD_SPACE = /[\t-\r\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/;

/**
 * 64-bit simhash over shingles of 3 words, given by the first `count` hashes: null under 50 words.
 * Single words instead of shingles pair 5 % of strangers.
 */
export function simhashOf(hashes: Int32Array, count: number): string | null {
  if (count < SIMHASH_WORDS_MIN) return null;
  tallies.fill(0);
  const end = Math.min(count, SIMHASH_WORDS_MAX);
  for (let at = SHINGLE_WORDS - 1; at < end; at++) {
    tally(Math.imul(hashes[at - 2]!, 31) + Math.imul(hashes[at - 1]!, 17) + hashes[at]!);
  }
  let low = 0;
  let high = 0;
  for (let byte = 0; byte < BYTES / 2; byte++) {
    low |= majority(byte) << (byte * 8);
    high |= majority(byte + BYTES / 2) << (byte * 8);
  }
  // A decimal string of a signed number of 64 bits.
  return ((BigInt(high) << 32n) | BigInt(low >>> 0)).toString();
}

/** Counting bytes and reading their bits once at the end is faster than counting bits. */
const tallies = new Int32Array(BYTES * 256);

function tally(seed: number): void {
  const low = mixed(seed);
  const high = mixed(seed ^ 0x9e3779b9);
  tallies[low & 255]!++;
  tallies[256 + ((low >>> 8) & 255)]!++;
  tallies[512 + ((low >>> 16) & 255)]!++;
  tallies[768 + (low >>> 24)]!++;
  tallies[1024 + (high & 255)]!++;
  tallies[1280 + ((high >>> 8) & 255)]!++;
  tallies[1536 + ((high >>> 16) & 255)]!++;
  tallies[1792 + (high >>> 24)]!++;
}

/** Each bit of a byte as most shingles have it; its counts are used up. */
function majority(byte: number): number {
  const from = byte << 8;
  let bits = 0;
  for (let bit = 7; bit >= 0; bit--) {
    const half = 1 << bit;
    let vote = 0;
    for (let at = from; at < from + half; at++) {
      const without = tallies[at]!;
      const having = tallies[at + half]!;
      vote += having - without;
      // What remains to be told are the lower bits.
      tallies[at] = without + having;
    }
    if (vote > 0) bits |= half;
  }
  return bits;
}
