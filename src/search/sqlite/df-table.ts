const CAPACITY_FIRST = 1 << 14;
/** Some 20 MB; beyond it what is known is forgotten, and what is pending stays. */
const CAPACITY_MAX = 1 << 21;
const FILL_MAX = 0.6;

const USED = 1;
/** What of a term needs not be named again; see PendingDf. */
export const KNOWN_STEM = 2;
export const KNOWN_WORD = 4;

/** Changes by term hash, and what is known of the term: an open hash table in typed arrays. */
export class DfTable {
  #keys = new Uint32Array(CAPACITY_FIRST);
  #changes = new Int32Array(CAPACITY_FIRST);
  #flags = new Uint8Array(CAPACITY_FIRST);
  #used = 0;
  /** Hashes whose change left zero since the round began. */
  #pending: number[] = [];
  /** Hashes of this round in their order, and how many of them are settled. */
  #round = new Uint32Array(0);
  #settled = 0;

  get pending(): number {
    return this.#pending.length + this.#round.length - this.#settled;
  }

  /** Adds a change; returns what is known of the term. */
  add(hash: number, by: number): number {
    if (this.#used >= this.#keys.length * FILL_MAX) this.#grow();
    const slot = this.#slot(hash);
    if (this.#flags[slot] === 0) {
      this.#keys[slot] = hash;
      this.#flags[slot] = USED;
      this.#used++;
    }
    const before = this.#changes[slot]!;
    if (before === 0) this.#pending.push(hash);
    this.#changes[slot] = before + by;
    return this.#flags[slot]!;
  }

  /**
   * The next changes to be written. A round goes through all that was pending in order of hash, as
   * the rows lie in the file: in any other order each term would dirty a page of its own.
   */
  next(count: number): [number, number][] {
    if (this.#settled >= this.#round.length) {
      this.#round = Uint32Array.from(this.#pending).sort();
      this.#settled = 0;
      this.#pending = [];
    }
    const hashes = this.#round.subarray(this.#settled, this.#settled + count);
    return Array.from(hashes, (hash) => [hash, this.#changes[this.#slot(hash)]!]);
  }

  /** Forgets as many changes as `next` gave, once they are written. */
  settle(count: number): void {
    const end = Math.min(this.#settled + count, this.#round.length);
    for (; this.#settled < end; this.#settled++) {
      this.#changes[this.#slot(this.#round[this.#settled]!)] = 0;
    }
  }

  know(hash: number, flag: number): void {
    const slot = this.#slot(hash);
    if (this.#flags[slot] !== 0) this.#flags[slot]! |= flag;
  }

  #slot(hash: number): number {
    const mask = this.#keys.length - 1;
    let slot = hash & mask;
    while (this.#flags[slot] !== 0 && this.#keys[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, changes, flags] = [this.#keys, this.#changes, this.#flags];
    const isFull = keys.length >= CAPACITY_MAX;
    // With more pending than fit, df gives way: it need not be exact, memory has an end.
    const keepsPending = this.pending < CAPACITY_MAX / 2;
    const capacity = isFull ? CAPACITY_MAX : keys.length * 2;
    this.#keys = new Uint32Array(capacity);
    this.#changes = new Int32Array(capacity);
    this.#flags = new Uint8Array(capacity);
    this.#used = 0;
    if (!keepsPending) {
      this.#pending = [];
      this.#settled = this.#round.length;
    }
    for (let at = 0; at < keys.length; at++) {
      if (flags[at] === 0 || (isFull && (changes[at] === 0 || !keepsPending))) continue;
      const slot = this.#slot(keys[at]!);
      this.#keys[slot] = keys[at]!;
      this.#changes[slot] = changes[at]!;
      this.#flags[slot] = isFull ? USED : flags[at]!;
      this.#used++;
    }
  }
}
