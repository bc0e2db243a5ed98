import { type Collapsed, collapseHosts } from "./collapse.ts";
import { settled } from "./degrade.ts";
import { foldDuplicates } from "./duplicates.ts";
import type { CandidateSet } from "./port.ts";
import type { Scored, Scorer } from "./score.ts";

/** Results in the order in which pages cut them. */
export interface Arranged {
  results: Collapsed[];
  /** Candidates that match, shown or not. */
  matches: number;
  /** Near duplicates left out of them. */
  folded: number;
}

/**
 * Candidates scored for the first pages. They come before all others on every page: an order of
 * more candidates at once would differ, and pages would repeat results and lose some.
 */
export const CANDIDATES_FIRST = 200;

export function arrange(
  found: CandidateSet,
  scorer: Scorer,
  { sort, isCollapsed }: { sort: "relevance" | "date"; isCollapsed: boolean },
): Arranged {
  const ranked = rank(found, scorer, sort);
  const matches = ranked.length;
  if (!isCollapsed) {
    const results = ranked.map((result) => ({ result, folded: 0, moreFromHost: 0 }));
    return { results, matches, folded: 0 };
  }
  const unfolded = foldDuplicates(ranked);
  return { results: collapseHosts(unfolded), matches, folded: matches - unfolded.length };
}

/** By score, the first candidates and then the others; sorted by date the adapter's order stays. */
function rank(found: CandidateSet, scorer: Scorer, sort: "relevance" | "date"): Scored[] {
  const [first, others] = settled(scorer, () => [
    scored(found.candidates.slice(0, CANDIDATES_FIRST), scorer),
    scored(found.candidates.slice(CANDIDATES_FIRST), scorer),
  ]);
  if (sort === "date") return [...first, ...others];
  return [...first.sort(byScore), ...others.sort(byScore)];
}

const scored = (candidates: CandidateSet["candidates"], scorer: Scorer): Scored[] =>
  candidates.map((candidate) => scorer.score(candidate)).filter((result) => result !== null);

const byScore = (one: Scored, other: Scored): number =>
  other.score - one.score || one.candidate.id - other.candidate.id;
