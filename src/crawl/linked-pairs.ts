import type { Clock } from "../clock.ts";

const KNOWN_SLOTS = 1 << 19;
const UNKNOWN_SLOTS = 1 << 17;
/** A host that the store does not know may become known: then the link counts. */
const UNKNOWN_MS = 600_000;

/**
 * Which host was lately found to link to which: nearly all links of a page say nothing new of that,
 * and need no round trip. Direct-mapped and of fixed size (2.5 MB): a new pair takes the place of
 * an older one; an answer compares some 50 bits.
 */
export class LinkedPairs {
  readonly #known = new Uint32Array(KNOWN_SLOTS);
  readonly #unknown = new Uint32Array(UNKNOWN_SLOTS);
  readonly #clock: Clock;
  readonly #seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  #unknownUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The pair is stored, or its target was unknown a moment ago. */
  has(hostId: number, name: string): boolean {
    const [place, check] = this.#hashes(hostId, name);
    if (this.#known[place % KNOWN_SLOTS] === check) return true;
    return this.#unknown[place % UNKNOWN_SLOTS] === check && this.#clock.now() < this.#unknownUntil;
  }

  add(hostId: number, name: string, isKnown: boolean): void {
    const [place, check] = this.#hashes(hostId, name);
    if (isKnown) {
      this.#known[place % KNOWN_SLOTS] = check;
      return;
    }
    const now = this.#clock.now();
    if (now >= this.#unknownUntil) {
      this.#unknown.fill(0);
      this.#unknownUntil = now + UNKNOWN_MS;
    }
    this.#unknown[place % UNKNOWN_SLOTS] = check;
  }

  /** A host that was forgotten may become known anew; of which the store alone knows. */
  clear(): void {
    this.#known.fill(0);
    this.#unknown.fill(0);
  }

  #hashes(hostId: number, name: string): [place: number, check: number] {
    const seed = this.#seed ^ hostId;
    return [Bun.hash.xxHash32(name, seed >>> 0), Bun.hash.xxHash32(name, ~seed >>> 0) || 1];
  }
}
