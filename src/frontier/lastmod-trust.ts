/** What visits made of the lastmods of one sitemap, of late. */
export interface LastmodRecord {
  /** The page had changed, as was said. */
  readonly right: number;
  /** It had not. */
  readonly wrong: number;
}

/** So many are judged before anything is held against a sitemap. */
const JUDGED_MIN = 4;
/** One in so many that is right keeps its say. */
const ONE_IN = 3;

/** May its lastmods make pages due? Who stamps every page anew at each look has soon no say. */
export function isBelieved({ right, wrong }: LastmodRecord): boolean {
  const judged = right + wrong;
  return judged < JUDGED_MIN || right * ONE_IN >= judged;
}

const STAMPED_MIN = 5;
const STAMP_MS = 60_000;

/** All are of the moment at which they were asked for: made for the answer, not the page. */
export function areStamped(lastmods: readonly number[], now: number): boolean {
  return lastmods.length >= STAMPED_MIN && lastmods.every((at) => Math.abs(now - at) <= STAMP_MS);
}
