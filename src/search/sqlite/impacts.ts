import type { Database } from "bun:sqlite";
import { impactAt, LEVEL_MAX } from "./impact.ts";
import { impactPrefix } from "./tokens.ts";

/** Rows, ascending, and how much each is about a word. */
export interface Impacts {
  rows: Float64Array;
  impacts: Float64Array;
}

/** Sorts after every letter of a level. */
const BEHIND_ALL = "~";
/** More than there are levels. */
const LEVELS = 32;
const BY_LETTER = Float64Array.from({ length: LEVELS }, (_, at) => impactAt(LEVEL_MAX - at));

/**
 * The rows that are most about a word, at most `limit` of each form. Its tokens stand side by side
 * in the index, the highest level first: one walk over them reads what would else be a search for
 * each level.
 */
export function readImpacts(db: Database, forms: readonly string[], limit: number): Impacts {
  const statement = db.query<{ own: number }, [string, string, number]>(
    `select doc * ${LEVELS} + unicode(substr(term, -1)) - 97 from temp.impacts
     where term >= ? and term < ? limit ?`,
  );
  const found = forms.flatMap((form) => {
    const prefix = impactPrefix(form);
    return statement.values(prefix, prefix + BEHIND_ALL, limit) as unknown as [number][];
  });
  const sorted = new Float64Array(found.length);
  for (let at = 0; at < found.length; at++) sorted[at] = found[at]![0];
  sorted.sort();
  return highestOf(sorted);
}

/** Of each row its highest level alone. */
function highestOf(sorted: Float64Array): Impacts {
  const rows = new Float64Array(sorted.length);
  const impacts = new Float64Array(sorted.length);
  let count = 0;
  for (const own of sorted) {
    const row = Math.floor(own / LEVELS);
    if (count > 0 && rows[count - 1] === row) continue;
    rows[count] = row;
    impacts[count++] = BY_LETTER[own - row * LEVELS]!;
  }
  return { rows: rows.subarray(0, count), impacts: impacts.subarray(0, count) };
}
