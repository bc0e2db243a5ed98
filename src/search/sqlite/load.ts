import type { Database } from "bun:sqlite";
import type { Ranking } from "../../ranking.ts";
import type { Candidate } from "../document.ts";
import type { CandidateFilter, CandidateSet } from "../port.ts";
import type { ParsedQuery } from "../query.ts";
import { createScorer } from "../score.ts";
import { isWide } from "../signals.ts";
import { byScore, remembering, USUAL, WIDE } from "./choose.ts";
import { readFacets } from "./facets.ts";
import { Pages } from "./pages.ts";
import { selectRows } from "./select.ts";

/**
 * What the reader thread hands over: the forward data of all candidates in one buffer, which is
 * moved and not copied, and of each its place in there.
 */
export interface LoadedCandidates extends Omit<CandidateSet, "candidates" | "df" | "scorer"> {
  candidates: (Omit<Candidate, "forward"> & { at: number; bytes: number })[];
  df: [string, number][];
  forward: ArrayBuffer;
}

/** Facets are counted over so many. */
const FACETED_MAX = 1_000;

export function findCandidates(
  db: Database,
  query: ParsedQuery,
  filter: CandidateFilter,
  ranking: Ranking = {},
): CandidateSet {
  const reach = isWide(ranking) ? WIDE : USUAL;
  const selected = selectRows(db, query, filter, reach);
  const { rows, faceted, isChosen, total, totalCapped, df, totals } = selected;
  const pages = new Pages(db, query);
  const read = (some: readonly number[]) => pages.read(some);
  const scorer = remembering(createScorer(query, { ...totals, df }, ranking));
  const ordered = isChosen ? byScore(rows, scorer, read, reach) : rows;
  return {
    candidates: read(ordered.slice(0, filter.limit)).filter((own) => own !== null),
    ...(selected.hidden === null ? {} : { hidden: selected.hidden }),
    total,
    totalCapped,
    df,
    documents: totals.documents,
    averageLengths: totals.averageLengths,
    facets: readFacets(db, faceted.slice(0, FACETED_MAX)),
    scorer,
  };
}

/** For the way to another thread. */
export const packCandidates = ({
  candidates,
  df,
  scorer: _,
  ...rest
}: CandidateSet): LoadedCandidates => ({
  ...rest,
  ...packed(candidates),
  df: [...df],
});

/** Makes candidates of what came from the thread. */
export function unpackCandidates(loaded: LoadedCandidates): CandidateSet {
  const { candidates, df, forward, ...rest } = loaded;
  return {
    ...rest,
    candidates: candidates.map(({ at, bytes, ...candidate }) => ({
      ...candidate,
      forward: new Uint8Array(forward, at, bytes),
    })),
    df: new Map(df),
  };
}

function packed(
  candidates: readonly Candidate[],
): Pick<LoadedCandidates, "candidates" | "forward"> {
  const bytes = new Uint8Array(candidates.reduce((sum, own) => sum + own.forward.length, 0));
  let end = 0;
  const bare = candidates.map(({ forward, ...candidate }) => {
    const at = end;
    bytes.set(forward, at);
    end += forward.length;
    return { ...candidate, at, bytes: forward.length };
  });
  return { candidates: bare, forward: bytes.buffer };
}
