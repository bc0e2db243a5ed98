import { Words } from "../text/tokenise.ts";
import type { SearchIndex } from "./port.ts";

export interface Suggestions {
  /** What was typed with its last word completed, commonest first. */
  queries: string[];
  titles: { title: string; url: string }[];
}

const PREFIX_CHARACTERS_MAX = 100;
const QUERIES_MAX = 6;
const TITLES_MAX = 4;

/** Completes what is being typed, from the words and titles of the index. */
export async function suggest(index: SearchIndex, typed: string): Promise<Suggestions> {
  const prefix = typed.slice(0, PREFIX_CHARACTERS_MAX).trimStart();
  const last = lastWord(prefix);
  const [words, titles] = await Promise.all([
    last === null ? [] : index.words(last.word, QUERIES_MAX),
    index.titles(prefix, TITLES_MAX),
  ]);
  return { queries: words.map(({ word }) => prefix.slice(0, last!.start) + word), titles };
}

/** The word at the very end: what is followed by a space is finished. */
function lastWord(prefix: string): { word: string; start: number } | null {
  const words = new Words(prefix);
  let last: { word: string; start: number } | null = null;
  while (words.next()) {
    if (words.end < prefix.length || words.isGram) continue;
    last = { word: prefix.slice(words.start, words.end), start: words.start };
  }
  return last;
}
