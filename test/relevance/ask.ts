import { seededChance } from "../support/chance.ts";
import type { Collection, Text } from "./cacm.ts";
import { type Measures, mean, measure } from "./measures.ts";

/** The best of a query, a hundred unless it says how many, by id of the collection. */
export type Ask = (query: string, count?: number) => Promise<readonly string[]>;

/** Words of a long query. */
const LONG_WORDS = 15;

export interface Relevance {
  all: Measures;
  /** Topics of 15 words and more. */
  long: Measures;
}

export async function judge({ topics }: Collection, ask: Ask): Promise<Relevance> {
  const all: Measures[] = [];
  const long: Measures[] = [];
  for (const { query, relevant } of topics) {
    const own = measure({ ranking: await ask(query), relevant });
    all.push(own);
    if (query.split(" ").length >= LONG_WORDS) long.push(own);
  }
  return { all: mean(all), long: mean(long) };
}

/** Mean reciprocal rank, in the first ten, of texts asked for by their title, as `said` says it. */
export async function knownItems(
  texts: readonly Text[],
  ask: Ask,
  said: (title: string) => string = (title) => title,
): Promise<number> {
  const all: Measures[] = [];
  for (const { id, title } of texts) {
    const relevant = new Set([id]);
    all.push(measure({ ranking: await ask(said(title), 10), relevant }));
  }
  return mean(all).reciprocalRank;
}

/** Of the texts whose title no other has so many: a query that two answer asks for neither. */
export function uniqueTitles(texts: readonly Text[], count: number): Text[] {
  const normal = (title: string) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const times = Map.groupBy(texts, ({ title }) => normal(title));
  const unique = texts.filter(({ title }) => times.get(normal(title))!.length === 1);
  const step = unique.length / count;
  return Array.from({ length: count }, (_, at) => unique[Math.floor(at * step)]!);
}

/** One edit in one word of five letters and more, where there is one. */
export function mistyper(seed: number): (title: string) => string {
  const chance = seededChance(seed);
  const below = (limit: number) => Math.floor(chance() * limit);
  return (title) => {
    const words = [...title.matchAll(/[A-Za-z]{5,}/g)];
    if (words.length === 0) return title;
    const { 0: word, index } = words[below(words.length)]!;
    const at = below(word.length - 1);
    const letter = String.fromCharCode(97 + below(26));
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    const edits = [
      before + after,
      before + letter + after,
      before + letter + word.slice(at),
      before + word[at + 1]! + word[at]! + word.slice(at + 2),
    ];
    return title.slice(0, index) + edits[below(edits.length)]! + title.slice(index + word.length);
  };
}
