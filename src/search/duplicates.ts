import type { Scored } from "./score.ts";

/** Texts that differ in no more bits of their simhash are one text to a reader. */
const DISTANCE_MAX = 3;
/** Results compared with each other; nobody pages further. */
const COMPARED_MAX = 400;

/** Leaves out what nearly repeats a result before it. */
export function foldDuplicates(results: readonly Scored[]): Scored[] {
  const shown: Fingerprint[] = [];
  return results.filter(({ candidate }) => {
    if (candidate.simhash === null || shown.length >= COMPARED_MAX) return true;
    const own = fingerprintOf(candidate.simhash);
    if (shown.some((other) => distance(own, other) <= DISTANCE_MAX)) return false;
    shown.push(own);
    return true;
  });
}

interface Fingerprint {
  low: number;
  high: number;
}

function fingerprintOf(simhash: string): Fingerprint {
  const bits = BigInt.asUintN(64, BigInt(simhash));
  return { low: Number(bits & 0xffffffffn), high: Number(bits >> 32n) };
}

const distance = (one: Fingerprint, other: Fingerprint): number =>
  bitsSet(one.low ^ other.low) + bitsSet(one.high ^ other.high);

function bitsSet(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
