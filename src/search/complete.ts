import { fold } from "../text/fold.ts";
import type { CandidateSource } from "./port.ts";
import { type ParsedQuery, withCompletions } from "./query.ts";
import type { QueryWord } from "./query-word.ts";

/** Shorter beginnings have too many words to say anything. */
const LETTERS = /^[\p{L}\p{M}]{3,}$/u;
const COMPLETIONS_MAX = 30;

/**
 * The word at the very end of a query, when it can be the beginning of a longer one. One with
 * digits is a code: it is there or it is not.
 */
export function unfinishedWord(query: ParsedQuery): QueryWord | null {
  if (query.unfinished === null) return null;
  const word = query.concepts[query.unfinished]!.words.at(-1)!;
  return LETTERS.test(word.surface) ? word : null;
}

/**
 * The query with the commonest words that begin as its last one; the same query when there are
 * none.
 */
export async function complete(index: CandidateSource, query: ParsedQuery): Promise<ParsedQuery> {
  const word = unfinishedWord(query);
  if (word === null) return query;
  const words = await index.words(word.surface, COMPLETIONS_MAX + 1);
  const surfaces = new Set(words.map((own) => fold(own.word)));
  const own = query.concepts[query.unfinished!]!.words;
  for (const { surface } of own) surfaces.delete(surface);
  surfaces.delete("");
  const completions = [...surfaces].slice(0, COMPLETIONS_MAX);
  return completions.length === 0 ? query : withCompletions(query, completions);
}
