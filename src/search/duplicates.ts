import type { Scored } from "./score.ts";

/** Texts that differ in no more bits of their simhash are one text to a reader. */
const DISTANCE_MAX = 3;
/** Results compared with each other; nobody pages further. */
const COMPARED_MAX = 400;

export interface Unfolded {
  result: Scored;
  /** Results after it that nearly repeat it, and are left out. */
  folded: number;
}

/** Leaves out what nearly repeats a result before it. */
export function foldDuplicates(results: readonly Scored[]): Unfolded[] {
  const kept: Unfolded[] = [];
  const compared: { print: Fingerprint; unfolded: Unfolded }[] = [];
  for (const result of results) {
    const { simhash } = result.candidate;
    const print = simhash === null ? null : fingerprintOf(simhash);
    const same =
      print === null
        ? undefined
        : compared.find((other) => distance(print, other.print) <= DISTANCE_MAX);
    if (same !== undefined) {
      same.unfolded.folded++;
      continue;
    }
    const unfolded = { result, folded: 0 };
    kept.push(unfolded);
    if (print !== null && compared.length < COMPARED_MAX) compared.push({ print, unfolded });
  }
  return kept;
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
