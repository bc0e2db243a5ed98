import { slotOf } from "../../text/hash.ts";

const CAPACITY_FIRST = 1 << 14;
/** Some 17 MB; beyond it what is known is forgotten, and what is pending stays. */
const CAPACITY_MAX = 1 << 21;
const FILL_MAX = 0.6;

const USED = 1;
/** What of a term needs not be named again; see PendingDf. */
export const KNOWN_STEM = 2;
export const KNOWN_WORD = 4;
const FLAGS = 7;
const FLAG_BITS = 3;

/**
 * Changes by term hash, and what is known of the term: an open hash table. The two words of a slot
 * lie side by side, the hash and then `change << 3 | flags`: each term is a place in memory that
 * the processor has to wait for.
 */
export class DfTable {
  #slots = new Int32Array(2 * CAPACITY_FIRST);
  #mask = CAPACITY_FIRST - 1;
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
    if (this.#used >= (this.#mask + 1) * FILL_MAX) this.#grow();
    const at = this.#slot(hash);
    const slots = this.#slots;
    let state = slots[at + 1]!;
    if (state === 0) {
      slots[at] = hash;
      state = USED;
      this.#used++;
    }
    if (state >> FLAG_BITS === 0) this.#pending.push(hash);
    slots[at + 1] = state + (by << FLAG_BITS);
    return state & FLAGS;
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
    return Array.from(hashes, (hash) => [hash, this.#slots[this.#slot(hash) + 1]! >> FLAG_BITS]);
  }

  /** Forgets as many changes as `next` gave, once they are written. */
  settle(count: number): void {
    const end = Math.min(this.#settled + count, this.#round.length);
    for (; this.#settled < end; this.#settled++) {
      this.#slots[this.#slot(this.#round[this.#settled]!) + 1]! &= FLAGS;
    }
  }

  know(hash: number, flag: number): void {
    const at = this.#slot(hash) + 1;
    if (this.#slots[at] !== 0) this.#slots[at]! |= flag;
  }

  /** Where the two words of a hash lie; the second is 0 when it is not there. */
  #slot(hash: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    const key = hash | 0;
    let at = slotOf(hash) & mask;
    while (slots[2 * at + 1] !== 0 && slots[2 * at] !== key) at = (at + 1) & mask;
    return 2 * at;
  }

  #grow(): void {
    const before = this.#slots;
    const isFull = this.#mask + 1 >= CAPACITY_MAX;
    // With more pending than fit, df gives way: it need not be exact, memory has an end.
    const keepsPending = this.pending < CAPACITY_MAX / 2;
    const capacity = isFull ? CAPACITY_MAX : (this.#mask + 1) * 2;
    this.#slots = new Int32Array(2 * capacity);
    this.#mask = capacity - 1;
    this.#used = 0;
    if (!keepsPending) {
      this.#pending = [];
      this.#settled = this.#round.length;
    }
    for (let from = 0; from < before.length; from += 2) {
      const state = before[from + 1]!;
      const isKept = !isFull || (keepsPending && state >> FLAG_BITS !== 0);
      if (state === 0 || !isKept) continue;
      const at = this.#slot(before[from]! >>> 0);
      this.#slots[at] = before[from]!;
      this.#slots[at + 1] = isFull ? (state & ~FLAGS) | USED : state;
      this.#used++;
    }
  }
}
