import type { ShingleWindow } from "../text/shingle-window.ts";
import { shinglesOf, type TextSample } from "../text/shingles.ts";

/** Under 80 % of the shingles were seen; and more than a word or two differ. */
const NEW_SHARE = 0.2;
const NEW_SHINGLES_MIN = 4;
/** A large page with so much of its own is new, however much boilerplate is around it. */
const NEW_SHINGLES_ENOUGH = 40;
/** As little as this tells of two pages rather than of what was sampled. */
const UNSEEN_MIN = 3;

/** What a text adds to those seen under its pattern. `unsure`: too little of it was looked at. */
export type Novelty = "new" | "little" | "none" | "unsure";

export function noveltyOf(sample: TextSample, seen: ShingleWindow): Novelty {
  if (shinglesOf(sample).length === 0) return "none";
  const { looked, unseen, news } = seen.compare(sample);
  if (looked < 2 && looked < shinglesOf(sample).length) return "unsure";
  const isShare = unseen > looked * NEW_SHARE && news >= NEW_SHINGLES_MIN;
  if (!isShare && news < NEW_SHINGLES_ENOUGH) return "none";
  return unseen >= UNSEEN_MIN || unseen === looked ? "new" : "little";
}

const NOVELTIES: readonly Novelty[] = ["none", "unsure", "little", "new"];

/** What the folder has shown already is not new in a pattern of it, nor the other way round. */
export const leastOf = (all: readonly Novelty[]): Novelty =>
  NOVELTIES.find((each) => all.includes(each)) ?? "new";
