const SLOTS = 1 << 19;

/**
 * Which URL keys were lately admitted or found known: of the links of a page nine in ten are, and
 * need
 * no round trip. Direct-mapped and of fixed size (8 MB): a new key takes the place of an older one,
 * and
 * an answer "seen" compares 96 bits of the key.
 */
export class SeenKeys {
  readonly #high = new Float64Array(SLOTS);
  readonly #low = new Float64Array(SLOTS);

  has(key: string): boolean {
    const high = part(key, 0);
    const at = high % SLOTS;
    return this.#high[at] === high && this.#low[at] === part(key, 1);
  }

  add(key: string): void {
    const high = part(key, 0);
    const at = high % SLOTS;
    this.#high[at] = high;
    this.#low[at] = part(key, 1);
  }

  /** A dropped URL may be admitted anew. */
  clear(): void {
    this.#high.fill(0);
    this.#low.fill(0);
  }
}

/** 48 bits of a uuid: its first twelve digits, or its last twelve; never 0. */
function part(key: string, which: 0 | 1): number {
  const digits = which === 0 ? key.slice(0, 8) + key.slice(9, 13) : key.slice(24, 36);
  return Number.parseInt(digits, 16) + 1;
}
