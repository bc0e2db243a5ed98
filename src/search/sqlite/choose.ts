import type { Database } from "bun:sqlite";
import type { Candidate } from "../document.ts";
import type { Scorer } from "../score.ts";
import type { BestRows } from "./best.ts";
import { impactAt, LEVEL_MAX } from "./impact.ts";
import { impactedFrom, impactedOf, type Match, salientOf, within } from "./match.ts";
import { readPostings } from "./postings.ts";

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

/** Of a common word, the documents that are about it. */
const SALIENT_MAX = 5_000;
/** So many of the highest impacts of a word, or of several together, are told apart. */
const IMPACTED_MIN = 1_500;
const JOINT_MIN = 500;
const JOINT_STEP = 4;
/** What a document is about counts as much more as this, as long as its level is not known. */
const SALIENT_WEIGHT = 0.8;
/**
 * Rows of which score() tells the best, 10 µs each. They come by what they likely score: when some
 * more have none of the best in them, the next ones will not either.
 */
const SCORED_FIRST = 200;
const SCORED_STEP = 75;
const SCORED_MAX = 600;
const BEST = 10;

/** Known rows that are about a word weigh more; levels are asked for when there are many. */
export function raiseSalient(
  db: Database,
  { forms, idf }: WeighedConcept,
  match: Match,
  best: BestRows,
  few: number,
): void {
  const salient = readPostings(db, within(match, salientOf(forms)), match.dates, SALIENT_MAX);
  best.raise(salient, idf * SALIENT_WEIGHT);
  if (salient.length <= few) return;
  eachLevel(db, forms, (rows, impact) => best.raise(rows, idf * (impact - 1 - SALIENT_WEIGHT)));
}

/** Adds the rows that are most about common words: about one of them, and about all. */
export function addSalient(
  db: Database,
  concepts: readonly WeighedConcept[],
  match: Match,
  best: BestRows,
): void {
  // Within a filter each level would read all that pass it again.
  const hasLevels = match.must === null && match.not === null && match.dates === null;
  const added = concepts.map((concept) => {
    const { forms, idf, share } = concept;
    // Whether others have it too is not looked up: most have.
    best.expect(idf * share);
    const seen = hasLevels
      ? eachLevel(db, forms, (rows, impact) => best.add(rows, idf, impact, share))
      : new Set<number>();
    const add = (rows: Float64Array, impact: number) => {
      const others = unseen(rows, seen);
      best.add(others, idf, impact, share);
    };
    if (seen.size < IMPACTED_MIN) {
      const expression = within(match, salientOf(forms));
      add(readPostings(db, expression, match.dates, SALIENT_MAX), 1 + SALIENT_WEIGHT);
    }
    return add;
  });
  if (hasLevels && concepts.length > 1)
    eachJoint(db, concepts, match, (rows, impact) => {
      for (const add of added) add(rows, impact);
    });
}

/** Rows by level, from the highest down, each once, until there are enough; filters aside. */
function eachLevel(
  db: Database,
  forms: readonly string[],
  visit: (rows: Float64Array, impact: number) => void,
): Set<number> {
  const seen = new Set<number>();
  for (let level = LEVEL_MAX; level >= 0 && seen.size < IMPACTED_MIN; level--) {
    const rows = readPostings(db, impactedOf(forms, level), null, SALIENT_MAX);
    visit(unseen(rows, seen), impactAt(level));
  }
  return seen;
}

/** Rows that are about all of the words, the most so first, until there are enough. */
function eachJoint(
  db: Database,
  concepts: readonly WeighedConcept[],
  match: Match,
  visit: (rows: Float64Array, impact: number) => void,
): void {
  const read = (parts: string[], impact: number) => {
    const rows = readPostings(db, within(match, parts.join(" AND ")), match.dates, IMPACTED_MIN);
    visit(rows, impact);
    return rows.length;
  };
  for (let level = LEVEL_MAX; level >= 0; level -= JOINT_STEP) {
    const impacted = concepts.map(({ forms }) => impactedFrom(forms, level));
    if (read(impacted, impactAt(level)) >= JOINT_MIN) return;
  }
  read(
    concepts.map(({ forms }) => salientOf(forms)),
    1 + SALIENT_WEIGHT,
  );
}

/** Those of the rows that were not seen; they are now. */
function unseen(rows: Float64Array, seen: Set<number>): Float64Array {
  const others = rows.filter((row) => !seen.has(row));
  for (const row of others) seen.add(row);
  return others;
}

/** The first rows in the order of their score, then the others. */
export function byScore(
  rows: readonly number[],
  scorer: Scorer,
  read: (rows: readonly number[]) => readonly (Candidate | null)[],
): number[] {
  const scored: { row: number; score: number }[] = [];
  let best: number[] = [];
  for (let at = 0, step = SCORED_FIRST; at < SCORED_MAX; at += step, step = SCORED_STEP) {
    const some = rows.slice(at, Math.min(at + step, SCORED_MAX));
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
