import { isAtLevel, levelOf, shinglesOf, type TextSample } from "./shingles.ts";

const SLOTS = 256;
/** Shingles of one generation; more would make its table slow. */
const GENERATION_MAX = 192;
/** By so much the level may be above that of the pages: 6 of 48 shingles are left to look at. */
const LEVEL_ABOVE = 3;

/** What one page shows against those before it; `looked` 0: nothing can be said. */
export interface Compared {
  readonly looked: number;
  readonly unseen: number;
  /** Shingles that the unseen ones stand for. */
  readonly news: number;
}

/**
 * The shingles that the last pages of a pattern had, in 2 KB at most. When it is full it looks at
 * half of them only; when that would leave too few of a page, the older half of it is forgotten.
 */
export class ShingleWindow {
  #level = 0;
  #count = 0;
  #current = new Int32Array(SLOTS);
  #previous: Int32Array | null = null;

  compare(sample: TextSample): Compared {
    const level = Math.max(this.#level, levelOf(sample));
    let looked = 0;
    let unseen = 0;
    for (const hash of shinglesOf(sample)) {
      if (!isAtLevel(hash, level)) continue;
      looked++;
      if (!this.#has(hash)) unseen++;
    }
    return { looked, unseen, news: unseen << level };
  }

  add(sample: TextSample): void {
    for (const hash of shinglesOf(sample)) {
      if (!isAtLevel(hash, this.#level) || this.#has(hash)) continue;
      if (this.#count >= GENERATION_MAX) this.#makeRoom(levelOf(sample));
      if (!isAtLevel(hash, this.#level)) continue;
      put(this.#current, hash);
      this.#count++;
    }
  }

  #has(hash: number): boolean {
    return isIn(this.#current, hash) || (this.#previous !== null && isIn(this.#previous, hash));
  }

  #makeRoom(pageLevel: number): void {
    const full = this.#current;
    this.#current = new Int32Array(SLOTS);
    this.#count = 0;
    if (this.#level >= pageLevel + LEVEL_ABOVE) {
      this.#previous = full;
      return;
    }
    this.#level++;
    for (const hash of full) {
      if (hash === 0 || !isAtLevel(hash, this.#level)) continue;
      put(this.#current, hash);
      this.#count++;
    }
  }

  /** Little endian: level, then the hashes, older ones first. */
  bytes(): Uint8Array {
    const older = this.#previous?.filter((hash) => hash !== 0) ?? new Int32Array(0);
    const newer = this.#current.filter((hash) => hash !== 0);
    const words = new Int32Array(2 + older.length + newer.length);
    words.set([this.#level, older.length]);
    words.set(older, 2);
    words.set(newer, 2 + older.length);
    return new Uint8Array(words.buffer);
  }

  /** Of bytes that are damaged as much as can be read. */
  static of(bytes: Uint8Array): ShingleWindow {
    const window = new ShingleWindow();
    const words = new Int32Array(bytes.slice(0, bytes.length & ~3).buffer);
    if (words.length < 2) return window;
    window.#level = Math.min(31, Math.max(0, words[0]!));
    const end = Math.min(words.length, 2 + Math.min(GENERATION_MAX, Math.max(0, words[1]!)));
    if (end > 2) {
      window.#previous = new Int32Array(SLOTS);
      for (const hash of words.subarray(2, end)) put(window.#previous, hash);
    }
    for (const hash of words.subarray(end, end + GENERATION_MAX)) {
      put(window.#current, hash);
      window.#count++;
    }
    return window;
  }
}

/** Upper bits: of sampled hashes the lower ones are 0. */
const slotOf = (hash: number): number => hash >>> 24;

function isIn(table: Int32Array, hash: number): boolean {
  for (let slot = slotOf(hash); table[slot] !== 0; slot = (slot + 1) % SLOTS) {
    if (table[slot] === hash) return true;
  }
  return false;
}

function put(table: Int32Array, hash: number): void {
  let slot = slotOf(hash);
  while (table[slot] !== 0 && table[slot] !== hash) slot = (slot + 1) % SLOTS;
  table[slot] = hash;
}
