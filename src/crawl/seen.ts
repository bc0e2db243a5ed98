const SLOTS = 1 << 19;

/**
 * Which URL keys were lately admitted or found known: of the links of a page nine in ten are, and
 * need no round trip. Direct-mapped and of fixed size (6 MB): a new key takes the place of an older
 * one, and an answer "seen" compares 115 bits of the key.
 */
export class SeenKeys {
  /** By the last bits of the first word of a key: its other three words. */
  readonly #words = new Uint32Array(SLOTS * 3);

  /** `keys`: four words each, see url/canonical.ts; the one asked for begins at `at`. */
  has(keys: Uint32Array, at: number): boolean {
    const slot = (keys[at]! % SLOTS) * 3;
    return (
      this.#words[slot] === keys[at + 1] &&
      this.#words[slot + 1] === keys[at + 2] &&
      this.#words[slot + 2] === keys[at + 3]
    );
  }

  /** `key`: the text of a uuid. */
  hasKey(key: string): boolean {
    return this.has(wordsOf(key), 0);
  }

  add(key: string): void {
    const words = wordsOf(key);
    const slot = (words[0]! % SLOTS) * 3;
    for (let at = 0; at < 3; at++) this.#words[slot + at] = words[at + 1]!;
  }

  /** A URL that was removed may be admitted anew; of which it was the store alone knows. */
  clear(): void {
    this.#words.fill(0);
  }
}

function wordsOf(key: string): Uint32Array {
  const digits = key.replaceAll("-", "");
  return Uint32Array.from({ length: 4 }, (_, at) =>
    Number.parseInt(digits.slice(at * 8, at * 8 + 8), 16),
  );
}
