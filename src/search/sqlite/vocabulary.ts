import type { Database } from "bun:sqlite";
import { fold } from "../../text/fold.ts";
import { hashText } from "../../text/hash.ts";
import type { WordCount } from "../port.ts";

/**
 * Words by df: band n holds those of 2^n to 2^(n+1) - 1 documents, so that few updates touch the
 * index.
 */
export const bandOf = (df: number): number => (df < 1 ? -1 : Math.floor(Math.log2(df)));
export const BAND_MAX = 40;

/** Documents with each term; a term not there yet counts as none. */
export function readDf(db: Database, terms: readonly string[]): Map<string, number> {
  const statement = db.query<{ df: number }, [number]>("select df from vocabulary where hash = ?");
  const df = new Map<string, number>();
  for (const term of terms) {
    df.set(term, statement.get(hashText(term))?.df ?? 0);
  }
  return df;
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

export const byDf = (one: WordCount, other: WordCount): number => other.df - one.df;

function bandStatement(db: Database) {
  return db.query<{ term: string; word: string; df: number }, [number, string, string, number]>(
    `select term, word, df from vocabulary
     where word is not null and band = ? and term >= ? and term < ? limit ?`,
  );
}
