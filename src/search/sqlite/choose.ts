import type { Database } from "bun:sqlite";
import { settled } from "../degrade.ts";
import type { Candidate } from "../document.ts";
import type { Scored, Scorer } from "../score.ts";
import type { BestRows } from "./best.ts";
import { readImpacts } from "./impacts.ts";

/*
 * Which of many matches are candidates: first by how much they are about the words, as far as
 * tokens tell, and of those the best by score() itself.
 */

export interface WeighedConcept {
  forms: readonly string[];
  idf: number;
  /** The part of all documents that has it. */
  share: number;
}

/** Of a common word alone, the rows that are most about it. */
const SALIENT_MAX = 1_500;
/** Where several words share them, or choose among the same: a part of all, within bounds. */
const JOINT_PART = 1 / 60;
const JOINT_MIN = 3_000;
const JOINT_MAX = 30_000;
/** More words than this share what so many may read. */
const JOINT_WORDS = 4;
/** How far a ranking is looked for the best. */
export interface Reach {
  /** Rows kept by how well their words match. */
  rowsMax: number;
  /**
   * Rows of which score() tells the best, 10 µs each. They come by what they likely score: when
   * some more have none of the best in them, the next ones will not either.
   */
  first: number;
  step: number;
  max: number;
}

export const USUAL: Reach = { rowsMax: 1_000, first: 200, step: 75, max: 600 };
/** Of a ranking in which words tell less: all rows that are kept, and more of them. */
export const WIDE: Reach = { rowsMax: 2_000, first: 2_000, step: 2_000, max: 2_000 };
const BEST = 10;

/** Known rows that are about these words weigh more. */
export function raiseSalient(
  db: Database,
  concepts: readonly WeighedConcept[],
  best: BestRows,
  documents: number,
): void {
  const limit = jointOf(documents, concepts.length);
  for (const { forms, idf } of concepts) best.raise(readImpacts(db, forms, limit), idf);
}

/** Adds the rows that are most about common words: about one of them, and about all. */
export function addSalient(
  db: Database,
  concepts: readonly WeighedConcept[],
  best: BestRows,
  documents: number,
): void {
  const limit = concepts.length > 1 ? jointOf(documents, concepts.length) : SALIENT_MAX;
  for (const { forms, idf, share } of concepts) {
    // Whether others have it too is not looked up: most have.
    best.expect(idf * share);
    const { rows, impacts } = readImpacts(db, forms, limit);
    best.add(rows, idf, impacts, share);
  }
}

/** Rows of each word; of many words each tells less. */
function jointOf(documents: number, words: number): number {
  const joint = Math.min(Math.max(Math.ceil(documents * JOINT_PART), JOINT_MIN), JOINT_MAX);
  return Math.ceil((joint * Math.min(words, JOINT_WORDS)) / words);
}

/** Scores each candidate once; all anew once a signal failed. */
export function remembering(scorer: Scorer): Scorer {
  const known = new Map<Candidate, Scored | null>();
  let failed = 0;
  return {
    degraded: scorer.degraded,
    score(candidate) {
      if (failed !== scorer.degraded.size) known.clear();
      failed = scorer.degraded.size;
      let scored = known.get(candidate);
      if (scored === undefined) {
        scored = scorer.score(candidate);
        known.set(candidate, scored);
      }
      return scored;
    },
  };
}

/** The first rows in the order of their score, then the others. */
export function byScore(
  rows: readonly number[],
  scorer: Scorer,
  read: (rows: readonly number[]) => readonly (Candidate | null)[],
  reach: Reach = USUAL,
): number[] {
  return settled(scorer, () => ordered(rows, scorer, read, reach));
}

function ordered(
  rows: readonly number[],
  scorer: Scorer,
  read: (rows: readonly number[]) => readonly (Candidate | null)[],
  reach: Reach,
): number[] {
  const scored: { row: number; score: number }[] = [];
  let best: number[] = [];
  for (let at = 0, step = reach.first; at < reach.max; at += step, step = reach.step) {
    const some = rows.slice(at, Math.min(at + step, reach.max));
    const bound = best[BEST - 1] ?? 0;
    const own = read(some).map((candidate, place) => ({
      row: some[place]!,
      score: candidate === null ? 0 : (scorer.score(candidate)?.score ?? 0),
    }));
    scored.push(...own);
    const better = own.map(({ score }) => score).filter((score) => score > bound);
    if (better.length === 0) break;
    best = [...best, ...better].sort((one, other) => other - one).slice(0, BEST);
  }
  scored.sort((one, other) => other.score - one.score || one.row - other.row);
  return [...scored.map(({ row }) => row), ...rows.slice(scored.length)];
}
