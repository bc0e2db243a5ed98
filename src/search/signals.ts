import { DEFAULT_WEIGHTS, type Ranking, type SignalName, type SignalSetting } from "../ranking.ts";
import type { Candidate } from "./document.ts";
import { freshness } from "./freshness.ts";
import { hostFactor, RULES_MAX } from "./host-wishes.ts";
import { navigational } from "./navigational.ts";
import { locality } from "./places.ts";
import type { ParsedQuery } from "./query.ts";

/** The value of each signal for one document, as it went into the score. */
export type Breakdown = Readonly<Record<SignalName, number>> & {
  /**
   * Only where the document has the last word of the query merely as the beginning of a longer one:
   * what that word weighs then, within `text`.
   */
  readonly completion?: number;
  /**
   * Only where the document has a word of the query merely as another one of the same meaning: what
   * that one weighs then, within `text`; of several the least.
   */
  readonly synonym?: number;
};

export interface Signal {
  name: Exclude<SignalName, "text">;
  /** A factor multiplies the score, a prior is added to 1 first: see score.ts. */
  role: "factor" | "prior";
  weight: number;
  /** The value of "unknown", which changes no score. */
  neutral: number;
  min: number;
  max: number;
  /** Pure. Null says unknown. */
  value: (query: ParsedQuery, candidate: Candidate) => number | null;
}

const factor = (
  name: Signal["name"],
  min: number,
  max: number,
  value: Signal["value"],
): Signal => ({
  name,
  role: "factor",
  weight: DEFAULT_WEIGHTS[name],
  neutral: 1,
  min,
  max,
  value,
});

const prior = (name: Signal["name"], value: Signal["value"]): Signal => ({
  name,
  role: "prior",
  weight: DEFAULT_WEIGHTS[name],
  neutral: 0,
  min: 0,
  max: 1,
  value,
});

/** The table of signals beside the text score. Adding one is adding its function to its row. */
export const SIGNALS: readonly Signal[] = [
  factor("quality", 0.5, 1.15, (_query, candidate) => quality(candidate)),
  prior("authority", (_query, candidate) => candidate.authority),
  prior("regionPage", (query, page) => ofRegion(query, page.regionScore)),
  prior("regionHost", (query, page) => ofRegion(query, page.regionHost)),
  prior("freshness", ({ askedAt }, page) => freshness(askedAt, page.publishedAt)),
  prior("locality", (query, page) => locality(query.places, page)),
  factor("navigational", 1, 5, ({ name }, page) => navigational(name, page)),
  factor("rules", 0, RULES_MAX, ({ wishes }, page) => hostFactor(wishes, page.host)),
];

/** Of a page that is not of the region, for who asks for a place elsewhere. */
const ELSEWHERE = 0.4;

/** Who asks for a place elsewhere is served better by pages that are not of the region. */
function ofRegion({ places }: ParsedQuery, score: number | null): number | null {
  if (score === null || !places?.isElsewhere) return score;
  return ELSEWHERE * (1 - score);
}

/** Below this length pages are ordinary short ones: they lose nothing. */
const SHORT_WORDS = 200;
const BONUS_BY_DOUBLING = 0.03;
const BONUS_MAX = 0.15;
/** A page whose text stands in links by more than this is a list of links. */
const LINK_DENSITY_FREE = 0.3;
const LINK_DENSITY_COST = 0.7;

/** 1 for an ordinary page, a little more for a long one, down to a half for a list of links. */
export function quality(page: { words: number; linkDensity: number }): number {
  const doublings = Math.log2(Math.max(page.words, SHORT_WORDS) / SHORT_WORDS);
  const bonus = Math.min(doublings * BONUS_BY_DOUBLING, BONUS_MAX);
  const excess = Math.max(0, Math.min(page.linkDensity, 1) - LINK_DENSITY_FREE);
  return (1 + bonus) * (1 - excess * LINK_DENSITY_COST);
}

/**
 * It can put a document before others whose words match better by more than the usual weights
 * can: how well the words match then tells less of which documents are the best.
 */
export const isWide = (ranking: Ranking): boolean =>
  ranking.text?.enabled === false ||
  // What tells beforehand how much a page is about a word takes in the usual quality.
  reaches(ranking.quality, DEFAULT_WEIGHTS.quality) !== 1 ||
  SIGNALS.some(({ name, weight }) => reaches(ranking[name], weight) > 1);

/** Its weight as a part of the usual one. */
function reaches(own: SignalSetting | undefined, usual: number): number {
  if (own === undefined) return 1;
  return own.enabled ? own.weight / usual : 0;
}
