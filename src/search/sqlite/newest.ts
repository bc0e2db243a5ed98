import type { Database } from "bun:sqlite";
import { ForwardData } from "../../text/forward-data.ts";
import { hashText } from "../../text/hash.ts";
import type { Match } from "./match.ts";

/** Looking at a document costs as much as reading so many postings with their dates. */
const LOOK_COST = 25;
const LOOKED_AT_ONCE = 500;
/** So many times as many documents as df makes expect are looked at: df may be wrong. */
const PATIENCE = 4;

export interface CommonWords {
  /** Any of them makes a match. */
  forms: readonly string[];
  /** Documents that have one of them, at least. */
  df: number;
  /** Postings of all of them. */
  cost: number;
}

/**
 * Rows that match, newest first, found by looking at one document after the other: where most
 * match, that is less than to read all that do. Null where it is not.
 */
export function lookForNewest(
  db: Database,
  { forms, df, cost }: CommonWords,
  { dates, documents, limit }: { dates: Match["dates"]; documents: number; limit: number },
): number[] | null {
  const expected = (limit * documents) / Math.max(1, df);
  if (expected * LOOK_COST > cost) return null;
  const looksMax = expected * PATIENCE;
  const hashes = forms.map(hashText);
  const found: number[] = [];
  for (let at = 0; at < looksMax; at += LOOKED_AT_ONCE) {
    const pages = readByDate(db, dates, at);
    for (const [row, bytes] of pages) {
      const forward = ForwardData.read(bytes);
      if (forward !== null && hashes.some((hash) => forward.find(hash) >= 0)) found.push(row);
    }
    if (found.length >= limit) return found.slice(0, limit);
    if (pages.length < LOOKED_AT_ONCE) return found;
  }
  return null;
}

function readByDate(db: Database, dates: Match["dates"], offset: number): [number, Uint8Array][] {
  const statement = db.query<unknown, [number, number, number, number]>(
    `select p.row, forward from (
       select row from attributes where date between ? and ?
       order by date desc, row limit ? offset ?
     ) as own cross join pages p on p.row = own.row`,
  );
  const { from, to } = dates ?? { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
  return statement.values(from, to, LOOKED_AT_ONCE, offset) as [number, Uint8Array][];
}
