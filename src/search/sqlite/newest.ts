import type { Database } from "bun:sqlite";
import { ForwardData } from "../../text/forward-data.ts";
import { hashText } from "../../text/hash.ts";
import { anyOf, type Match } from "./match.ts";

/*
 * The newest documents that have a word are looked for from the newest one on: where many have it,
 * that is less than to read all that do. Costs are counted in postings read with their dates.
 */

/** To look at the words of one document. */
const LOOK_COST = 10;
/** To ask the full-text index what rows of a stretch have the words, beside its postings. */
const STRETCH_COST = 100;
const POSTING_COST = 0.1;
/** Fewer postings than this are read at once. */
const COST_MIN = 2_000;
const LOOKED_AT_ONCE = 500;
/** So many times as many documents as df makes expect are looked at: df may be wrong. */
const PATIENCE = 4;
/** Rows further apart are not asked for as one stretch. */
const GAP_MAX = 16;

export interface CommonWords {
  /** Any of them makes a match. */
  forms: readonly string[];
  /** Documents that have one of them, at least. */
  df: number;
  /** Postings of all of them. */
  cost: number;
}

/** Rows that match, newest first; null where looking for them costs more than to read them all. */
export function lookForNewest(
  db: Database,
  words: CommonWords,
  { dates, documents, limit }: { dates: Match["dates"]; documents: number; limit: number },
): number[] | null {
  if (words.cost < COST_MIN) return null;
  const expected = ((limit * documents) / Math.max(1, words.df)) * LOOK_COST;
  const budget = expected > words.cost ? words.cost / 2 : Math.max(words.cost, expected * PATIENCE);
  const looker = new Looker(db, words.forms);
  const found: number[] = [];
  for (let at = 0; looker.spent < budget; at += LOOKED_AT_ONCE) {
    const rows = readByDate(db, dates, at);
    const having = looker.having(rows);
    for (const row of rows) if (having.has(row)) found.push(row);
    if (found.length >= limit) return found.slice(0, limit);
    if (rows.length < LOOKED_AT_ONCE) return found;
  }
  return null;
}

function readByDate(db: Database, dates: Match["dates"], offset: number): number[] {
  const statement = db.query<{ row: number }, [number, number, number, number]>(
    `select row from attributes where date between ? and ?
     order by date desc, row limit ? offset ?`,
  );
  const { from, to } = dates ?? { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
  return statement.values(from, to, LOOKED_AT_ONCE, offset).flat() as number[];
}

/** Tells which of some rows have one of the words. */
class Looker {
  readonly #db: Database;
  readonly #expression: string;
  readonly #hashes: readonly number[];
  spent = 0;

  constructor(db: Database, forms: readonly string[]) {
    this.#db = db;
    this.#expression = anyOf(forms);
    this.#hashes = forms.map(hashText);
  }

  having(rows: readonly number[]): ReadonlySet<number> {
    const having = new Set<number>();
    const single: number[] = [];
    for (const stretch of stretchesOf(rows)) {
      if (stretch.length * LOOK_COST > STRETCH_COST) this.#ask(stretch, having);
      else single.push(...stretch);
    }
    this.#look(single, having);
    return having;
  }

  /** Documents that came one after the other stand side by side. */
  #ask(stretch: Float64Array, having: Set<number>): void {
    const statement = this.#db.query<{ rowid: number }, [string, number, number]>(
      "select rowid from terms where terms match ? and rowid between ? and ?",
    );
    const found = statement.values(this.#expression, stretch[0]!, stretch.at(-1)!);
    for (const [row] of found) having.add(row as number);
    this.spent += STRETCH_COST + found.length * POSTING_COST;
  }

  #look(rows: readonly number[], having: Set<number>): void {
    const statement = this.#db.query<unknown, [string]>(
      `select p.row, forward from json_each(?) as own
       cross join pages p on p.row = own.value`,
    );
    for (const page of statement.values(JSON.stringify(rows))) {
      const forward = ForwardData.read(page[1] as Uint8Array);
      const isThere = (hash: number) => forward !== null && forward.find(hash) >= 0;
      if (this.#hashes.some(isThere)) having.add(page[0] as number);
    }
    this.spent += rows.length * LOOK_COST;
  }
}

function stretchesOf(rows: readonly number[]): Float64Array[] {
  const sorted = Float64Array.from(rows).sort();
  const stretches: Float64Array[] = [];
  let from = 0;
  for (let at = 1; at <= sorted.length; at++) {
    if (at < sorted.length && sorted[at]! - sorted[at - 1]! <= GAP_MAX) continue;
    stretches.push(sorted.subarray(from, at));
    from = at;
  }
  return stretches;
}
