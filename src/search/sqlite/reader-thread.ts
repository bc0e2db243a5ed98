import type { Database } from "bun:sqlite";
import type { CandidateFilter } from "../port.ts";
import type { ParsedQuery } from "../query.ts";
import { type LoadedCandidates, loadCandidates } from "./load.ts";
import { readIds, readTexts, readTitles, readTotals, readVersions } from "./read.ts";
import { serve } from "./serve.ts";
import { openForReading } from "./tables.ts";
import { readSimilar, readWords } from "./vocabulary.ts";

/**
 * Entry of a reader thread. In WAL a reader waits for no writer; this covers a checkpoint's moment.
 */
const BUSY_MS = 1_000;

let path = "";
let open: Database | null = null;

/** Everything that a request reads is of one moment. A connection that failed is opened anew. */
function reading<T>(read: (db: Database) => T): T {
  open ??= openForReading(path, BUSY_MS);
  const db = open;
  try {
    db.run("begin");
    const value = read(db);
    db.run("commit");
    return value;
  } catch (error) {
    open = null;
    db.close();
    throw error;
  }
}

serve(
  {
    open: (settings: { path: string }) => {
      path = settings.path;
    },
    candidates: ({ query, filter }: { query: ParsedQuery; filter: CandidateFilter }) =>
      reading((db) => loadCandidates(db, query, filter)),
    texts: (ids: readonly number[]) => reading((db) => readTexts(db, ids)),
    words: ({ prefix, limit }: { prefix: string; limit: number }) =>
      reading((db) => readWords(db, prefix, limit)),
    similar: ({ word, limit }: { word: string; limit: number }) =>
      reading((db) => readSimilar(db, word, limit)),
    titles: ({ prefix, limit }: { prefix: string; limit: number }) =>
      reading((db) => readTitles(db, prefix, limit)),
    ids: ({ after, limit }: { after: number; limit: number }) =>
      reading((db) => readIds(db, after, limit)),
    versions: (ids: readonly number[]) => reading((db) => readVersions(db, ids)),
    count: () => reading((db) => readTotals(db).documents),
    close: () => {
      open?.close();
      open = null;
    },
  },
  (value) => (isLoaded(value) ? [value.forward] : []),
);

function isLoaded(value: unknown): value is LoadedCandidates {
  return typeof value === "object" && value !== null && "forward" in value;
}
