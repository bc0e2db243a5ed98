import type { Database } from "bun:sqlite";
import { ForwardData, pairOf } from "../../text/forward-data.ts";
import { hashText } from "../../text/hash.ts";
import type { ParsedQuery, Phrase } from "../query.ts";

/** What the full-text index cannot tell without positions: order of words, and words as typed. */
export interface Verifier {
  isMatch(forward: Uint8Array): boolean;
}

/** Null when the query asks for nothing of the kind. */
export function verifierOf(query: ParsedQuery): Verifier | null {
  const required = query.required.phrases.map((group) => group.map(traceOf));
  const excluded = query.excluded.phrases.filter((phrase) => phrase.length > 1).map(traceOf);
  if (required.length + excluded.length === 0) return null;
  return {
    isMatch(bytes) {
      const forward = ForwardData.read(bytes);
      if (forward === null) return false;
      const isThere = (trace: Trace) => has(forward, trace);
      return required.every((group) => group.some(isThere)) && !excluded.some(isThere);
    },
  };
}

/** Documents looked at in one go: some 2 MB. */
const AT_ONCE = 500;

/** Those of the rows whose words stand as the query says. */
export function matchingOf(db: Database, rows: readonly number[], verifier: Verifier): number[] {
  const statement = db.query<{ row: number; forward: Uint8Array }, [string]>(
    "select row, forward from pages where row in (select value from json_each(?))",
  );
  const matching = new Set<number>();
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    for (const page of statement.all(JSON.stringify(rows.slice(at, at + AT_ONCE)))) {
      if (verifier.isMatch(page.forward)) matching.add(page.row);
    }
  }
  return rows.filter((row) => matching.has(row));
}

interface Trace {
  hashes: readonly number[];
  pairs: readonly number[];
}

function traceOf(phrase: Phrase): Trace {
  const hashes = phrase.map(hashText);
  return { hashes, pairs: hashes.slice(1).map((hash, at) => pairOf(hashes[at]!, hash)) };
}

function has(forward: ForwardData, { hashes, pairs }: Trace): boolean {
  const areThere = hashes.every((hash) => {
    const place = forward.find(hash);
    return place >= 0 && forward.isSurface(place);
  });
  return areThere && pairs.every((pair) => forward.hasPair(pair));
}
