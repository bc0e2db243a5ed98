/** FNV-1a over UTF-16 units, mixed, so that each bit depends on each unit. */
export function hashUnits(text: string, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = hashUnit(hash, text.charCodeAt(at));
  return mix(hash);
}

/** The hash of a term: what the forward data and the vocabulary know it by. */
export const hashText = (text: string): number => hashUnits(text, 0, text.length);

/** The same by hand: begin so, add each unit, and `mix` in the end. */
export const HASH_START = 0x811c9dc5 | 0;
export const hashUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/**
 * Where a hash stands in a table in memory, before the mask. Each process has its own order, or
 * pages of words chosen for it would make every look-up walk through all of them.
 */
export const slotOf = (hash: number): number => mixed(hash ^ ORDER);

const ORDER = crypto.getRandomValues(new Int32Array(1))[0]!;

/**
 * Steps from slot to slot that no text takes by chance in tables half full; words chosen to have
 * one and the same hash would.
 */
export const STEPS_MAX = 128;

/** The finaliser of MurmurHash3: 32 bits in, 32 well mixed bits out, unsigned. */
export const mix = (value: number): number => mixed(value) >>> 0;

/** The same bits as a signed number: arrays of those are read and compared faster. */
export function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
