import type { Database } from "bun:sqlite";
import { fold } from "../../text/fold.ts";
import { hashText } from "../../text/hash.ts";

/**
 * Words by df: band n holds those of 2^n to 2^(n+1) - 1 documents, so that few updates touch the
 * index.
 */
export const bandOf = (df: number): number => (df < 1 ? -1 : Math.floor(Math.log2(df)));
const BAND_MAX = 40;

/** Documents with each term; a term not there yet counts as none. */
export function readDf(db: Database, terms: readonly string[]): Map<string, number> {
  const statement = db.query<{ df: number }, [number]>("select df from vocabulary where hash = ?");
  const df = new Map<string, number>();
  for (const term of terms) {
    df.set(term, statement.get(hashText(term))?.df ?? 0);
  }
  return df;
}

export interface WordCount {
  word: string;
  df: number;
}

/** Words that begin with a prefix, commonest first. */
export function readWords(db: Database, prefix: string, limit: number): WordCount[] {
  const key = fold(prefix.toLowerCase());
  if (key === "") return [];
  const found: WordCount[] = [];
  for (let band = BAND_MAX; band >= 0 && found.length < limit; band--) {
    const words = bandStatement(db).all(band, key, `${key}\u{10ffff}`, limit);
    found.push(...words.map(({ word, df }) => ({ word, df })).sort(byDf));
  }
  return found.slice(0, limit);
}

/** Words compared at most: those of the same first letter, commonest first. */
const COMPARED_MAX = 20_000;

/**
 * Words within one edit of a short word, two of a long one (from 8 letters): those of fewest edits
 * first, of as many the commonest.
 */
export function readSimilar(db: Database, word: string, limit: number): WordCount[] {
  const key = fold(word.toLowerCase());
  const editsMax = key.length < 8 ? 1 : 2;
  const first = String.fromCodePoint(key.codePointAt(0) ?? 0);
  const found: (WordCount & { edits: number })[] = [];
  let compared = 0;
  for (let band = BAND_MAX; band >= 0 && compared < COMPARED_MAX; band--) {
    const left = COMPARED_MAX - compared;
    const words = bandStatement(db).all(band, first, `${first}\u{10ffff}`, left);
    compared += words.length;
    for (const { term, word: spelled, df } of words) {
      const edits = term === key ? null : editsBetween(key, term, editsMax);
      if (edits !== null) found.push({ word: spelled, df, edits });
    }
  }
  const likest = found.sort((one, other) => one.edits - other.edits || byDf(one, other));
  return likest.slice(0, limit).map(({ word: spelled, df }) => ({ word: spelled, df }));
}

const byDf = (one: WordCount, other: WordCount): number => other.df - one.df;

function bandStatement(db: Database) {
  return db.query<{ term: string; word: string; df: number }, [number, string, string, number]>(
    `select term, word, df from vocabulary
     where word is not null and band = ? and term >= ? and term < ? limit ?`,
  );
}

/** Levenshtein with neighbours swapped as one edit; null as soon as it exceeds `max`. */
export function editsBetween(one: string, other: string, max: number): number | null {
  if (Math.abs(one.length - other.length) > max) return null;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      let cost = Math.min(last[at]! + 1, now[at - 1]! + 1, last[at - 1]! + (isSame ? 0 : 1));
      if (one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        cost = Math.min(cost, (before[at - 2] ?? Number.POSITIVE_INFINITY) + 1);
      }
      now.push(cost);
    }
    if (Math.min(...now) > max) return null;
    before = last;
    last = now;
  }
  const edits = last[other.length]!;
  return edits <= max ? edits : null;
}
