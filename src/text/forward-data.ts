import type { Field } from "./analysis.ts";
import { mix } from "./hash.ts";

/*
 * Layout, little endian: version u8, 3 bytes of nothing, terms u32, pairs u32, the lengths of 6
 * fields in words u32 each; then by term, in order of hash: hashes u32[], body counts u8[] (top
 * bit: occurs as a surface form), short counts u8[]; then pairs, sorted, 3 bytes each.
 */
const VERSION = 1;
const HEADER_BYTES = 36;
const TERM_BYTES = 6;
const PAIR_BYTES = 3;

/** Order of the lengths in the header. */
export const FIELDS: readonly Field[] = ["title", "headings", "body", "anchors", "host", "path"];

/** Where a field's count lies in the byte of short counts, and its highest value. */
export const SHORT: Readonly<Record<Exclude<Field, "body">, { shift: number; max: number }>> = {
  title: { shift: 0, max: 3 },
  headings: { shift: 2, max: 3 },
  anchors: { shift: 4, max: 3 },
  host: { shift: 6, max: 1 },
  path: { shift: 7, max: 1 },
};

const BODY = FIELDS.indexOf("body");
/** The same by place in FIELDS; the body's is not used. */
const SHORTS = FIELDS.map((field) => (field === "body" ? { shift: 0, max: 0 } : SHORT[field]));
const SHIFTS = SHORTS.map(({ shift }) => shift);
const MAXIMA = SHORTS.map(({ max }) => max);

/** BM25 is flat long before it: counting further would change no score. */
export const BODY_COUNT_MAX = 127;
/** Occurs as a surface form. */
export const SURFACE_BIT = 128;

/** The first `termCount` terms by hash, the first `pairCount` pairs, sorted and distinct. */
export interface ForwardParts {
  readonly termCount: number;
  readonly hashes: Int32Array;
  /** BODY_COUNT_MAX at most, with SURFACE_BIT. */
  readonly bodies: Uint8Array;
  /** As SHORT says. */
  readonly shorts: Uint8Array;
  readonly pairCount: number;
  readonly pairs: Int32Array;
  /** In the order of FIELDS. */
  readonly lengths: readonly number[];
}

/** Written word by word as processors that run Bun have them, which is little endian. */
export function encodeForward(parts: ForwardParts): Uint8Array {
  const { termCount, pairCount, pairs } = parts;
  const bodiesAt = HEADER_BYTES + termCount * 4;
  const pairsAt = HEADER_BYTES + termCount * TERM_BYTES;
  const bytes = new Uint8Array(pairsAt + pairCount * PAIR_BYTES);
  const head = new Int32Array(bytes.buffer, 0, bodiesAt / 4);
  head[0] = VERSION;
  head[1] = termCount;
  head[2] = pairCount;
  head.set(parts.lengths, 3);
  head.set(parts.hashes.subarray(0, termCount), HEADER_BYTES / 4);
  bytes.set(parts.bodies.subarray(0, termCount), bodiesAt);
  bytes.set(parts.shorts.subarray(0, termCount), bodiesAt + termCount);
  for (let at = 0, to = pairsAt; at < pairCount; at++) {
    const pair = pairs[at]!;
    bytes[to++] = pair;
    bytes[to++] = pair >>> 8;
    bytes[to++] = pair >>> 16;
  }
  return bytes;
}

/**
 * 24 bits for two terms that follow each other: among 1,000 pairs a stranger passes once in 16,000.
 */
export function pairOf(first: number, second: number): number {
  return mix(Math.imul(first, 31) + second) >>> 8;
}

/** Reads forward data in place. */
export class ForwardData {
  readonly termCount: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #pairCount: number;

  private constructor(bytes: Uint8Array, view: DataView) {
    this.#bytes = bytes;
    this.#view = view;
    this.termCount = view.getUint32(4, true);
    this.#pairCount = view.getUint32(8, true);
  }

  /** Null when the bytes are of another version, or damaged. */
  static read(bytes: Uint8Array): ForwardData | null {
    if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION) return null;
    const data = new ForwardData(
      bytes,
      new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    );
    return data.#pairsAt + data.#pairCount * PAIR_BYTES === bytes.length ? data : null;
  }

  /** Words of a field, by its place in FIELDS. */
  length(field: number): number {
    return this.#view.getUint32(12 + field * 4, true);
  }

  hashAt(term: number): number {
    return this.#view.getUint32(HEADER_BYTES + term * 4, true);
  }

  /** Place of a term, -1 when the document does not have it. */
  find(hash: number): number {
    let low = 0;
    let high = this.termCount - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.hashAt(middle);
      if (found === hash) return middle;
      if (found < hash) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  bodyCount(term: number): number {
    return this.#bytes[this.#bodiesAt + term]! & BODY_COUNT_MAX;
  }

  shortCount(term: number, field: Exclude<Field, "body">): number {
    const { shift, max } = SHORT[field];
    return (this.#bytes[this.#bodiesAt + this.termCount + term]! >> shift) & max;
  }

  /** Of a field by its place in FIELDS. */
  count(term: number, field: number): number {
    if (field === BODY) return this.bodyCount(term);
    const short = this.#bytes[this.#bodiesAt + this.termCount + term]!;
    return (short >> SHIFTS[field]!) & MAXIMA[field]!;
  }

  isSurface(term: number): boolean {
    return (this.#bytes[this.#bodiesAt + term]! & SURFACE_BIT) !== 0;
  }

  hasPair(pair: number): boolean {
    const bytes = this.#bytes;
    let low = 0;
    let high = this.#pairCount - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = this.#pairsAt + middle * PAIR_BYTES;
      const found = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
      if (found === pair) return true;
      if (found < pair) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  get #bodiesAt(): number {
    return HEADER_BYTES + this.termCount * 4;
  }

  get #pairsAt(): number {
    return HEADER_BYTES + this.termCount * TERM_BYTES;
  }
}
