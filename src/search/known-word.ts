import { ForwardData } from "../text/forward-data.ts";
import { hashText } from "../text/hash.ts";
import { CANDIDATES_FIRST } from "./arrange.ts";
import type { CandidateSet } from "./port.ts";
import { formsIn, type QueryWord } from "./query-word.ts";

/** Whether as many documents have the word, in any form. */
export function isKnown(
  word: QueryWord,
  { df, candidates }: CandidateSet,
  enough: number,
): boolean {
  const forms = formsIn(null, word);
  if (forms.some((form) => (df.get(form) ?? 0) >= enough)) return true;
  // df lags by seconds.
  const hashes = forms.map(hashText);
  const having = candidates.slice(0, CANDIDATES_FIRST).filter(({ forward }) => {
    const data = ForwardData.read(forward);
    return data !== null && hashes.some((hash) => data.find(hash) >= 0);
  });
  return having.length >= enough;
}
