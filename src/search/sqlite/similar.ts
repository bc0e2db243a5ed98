import type { Database } from "bun:sqlite";
import { fold } from "../../text/fold.ts";
import { hashText } from "../../text/hash.ts";
import { editsBetween, variantsOf } from "../edits.ts";
import type { WordCount } from "../port.ts";
import { BAND_MAX, byDf } from "./vocabulary.ts";

/** A longer word has two thousand variants, and is none that people type. */
const LETTERS_MAX = 32;
/** From so many letters on a word may be two edits away: what is one away is then not enough. */
const TWO_EDITS_LETTERS = 8;
/** Words looked at for two edits: those of the same first letter, commonest first; 5 ms. */
const LOOKED_AT_MAX = 12_000;
/** Compared of them letter by letter, 1 µs each. */
const COMPARED_MAX = 3_000;

/**
 * Words within one edit, or within two of a long word that has none so near; the commonest first.
 *
 * What is one edit away is found by looking up every word that could be: some 50 a letter, wherever
 * the mistake is, the first letter too, and however many words there are. For two edits words that
 * begin with the same letter are walked through.
 */
export function readSimilar(db: Database, word: string, limit: number): WordCount[] {
  const key = fold(word.toLowerCase());
  const letters = [...key];
  if (letters.length === 0 || letters.length > LETTERS_MAX) return [];
  const near = wordsOf(db, variantsOf(letters).map(hashText));
  const found = near.filter(({ term }) => term !== key && editsBetween(key, term, 1) === 1);
  const all =
    found.length > 0 || letters.length < TWO_EDITS_LETTERS
      ? found
      : twoEditsAway(db, key, letters[0]!, limit);
  const commonest = all.sort(byDf).slice(0, limit);
  return commonest.map(({ word: spelled, df }) => ({ word: spelled, df }));
}

type Term = WordCount & { term: string };

/** In order of hash, as the rows lie in the file. */
function wordsOf(db: Database, hashes: readonly number[]): Term[] {
  const statement = db.query<Term, [string]>(
    `select term, word, df from json_each(?) as own
     cross join vocabulary v on v.hash = own.value where word is not null and df > 0`,
  );
  return statement.all(JSON.stringify([...new Set(hashes)].sort((one, other) => one - other)));
}

/**
 * Two edits leave one of three parts of a word as it was, at its end or no more than two letters
 * from its place; but for one that swaps the letters at their border.
 */
function twoEditsAway(db: Database, key: string, first: string, limit: number): Term[] {
  const part = Math.floor(key.length / 3);
  const parts = [key.slice(0, part), key.slice(part, 2 * part), key.slice(2 * part)] as const;
  const found: Term[] = [];
  let left = LOOKED_AT_MAX;
  let compared = 0;
  for (let band = BAND_MAX; band >= 0 && left > 0 && found.length < limit; band--) {
    const { looked, hashes } = withPart(db, { band, first, left, length: key.length, parts });
    left -= looked;
    const some = wordsOf(db, hashes.slice(0, COMPARED_MAX - compared));
    compared += some.length;
    found.push(...some.filter(({ term }) => editsBetween(key, term, 2) === 2));
  }
  return found;
}

interface Sought {
  band: number;
  first: string;
  left: number;
  length: number;
  parts: readonly [string, string, string];
}

/** Read from the index of the words alone; the table itself only for what is compared. */
function withPart(db: Database, { band, first, left, length, parts }: Sought) {
  const statement = db.query<
    { looked: number; hashes: string },
    [number, string, string, number, number, number, string, string, string]
  >(
    `select count(*) as looked, json_group_array(hash) filter (
       where length(term) between ?5 and ?6
         and (substr(term, 1, length(?7)) = ?7
           or instr(substr(term, max(1, length(?7) - 1), length(?8) + 4), ?8) > 0
           or substr(term, -length(?9)) = ?9)
     ) as hashes from (
       select hash, term from vocabulary
       where word is not null and band = ?1 and term >= ?2 and term < ?3 limit ?4
     )`,
  );
  const behind = `${first}\u{10ffff}`;
  const row = statement.get(band, first, behind, left, length - 2, length + 2, ...parts)!;
  return { looked: row.looked, hashes: JSON.parse(row.hashes) as number[] };
}
