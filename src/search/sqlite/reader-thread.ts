import type { Database } from "bun:sqlite";
import type { Ranking } from "../../ranking.ts";
import { answer } from "../answer.ts";
import type { CandidateFilter, CandidateSource } from "../port.ts";
import type { ParsedQuery } from "../query.ts";
import type { SearchRequest } from "../search.ts";
import { readRanks } from "./host-ranks.ts";
import { findCandidates, type LoadedCandidates, packCandidates } from "./load.ts";
import { readIds, readTexts, readTitles, readTotals, readVersions } from "./read.ts";
import { serve } from "./serve.ts";
import { readSimilar } from "./similar.ts";
import { readSummaries } from "./summaries.ts";
import { openForReading } from "./tables.ts";
import { readWords } from "./vocabulary.ts";

/**
 * Entry of a reader thread. In WAL a reader waits for no writer; this covers a checkpoint's moment.
 */
const BUSY_MS = 1_000;

let path = "";
let open: Database | null = null;

/** What an answer is made from, within a transaction of its own. */
const sourceIn = (db: Database): CandidateSource => ({
  backend: "embedded",
  langs: () => readTotals(db).langs,
  candidates: async (query, filter, ranking) => findCandidates(db, query, filter, ranking),
  texts: async (ids) => new Map(readTexts(db, ids)),
  summaries: async (ids) => new Map(readSummaries(db, ids)),
  words: async (prefix, limit) => readWords(db, prefix, limit),
  similar: async (word, limit) => readSimilar(db, word, limit),
});

/** As `reading`, for what takes steps. */
async function readingAll<T>(read: (db: Database) => Promise<T>): Promise<T> {
  const db = begin();
  try {
    const value = await read(db);
    db.run("commit");
    return value;
  } catch (error) {
    lose(db);
    throw error;
  }
}

/** Everything that a request reads is of one moment. A connection that failed is opened anew. */
function reading<T>(read: (db: Database) => T): T {
  const db = begin();
  try {
    const value = read(db);
    db.run("commit");
    return value;
  } catch (error) {
    lose(db);
    throw error;
  }
}

function begin(): Database {
  open ??= openForReading(path, BUSY_MS);
  try {
    open.run("begin");
    return open;
  } catch (error) {
    lose(open);
    throw error;
  }
}

function lose(db: Database): void {
  open = null;
  db.close();
}

interface Asked {
  query: ParsedQuery;
  filter: CandidateFilter;
  ranking: Ranking;
}

serve(
  {
    open: (settings: { path: string }) => {
      path = settings.path;
    },
    candidates: ({ query, filter, ranking }: Asked) =>
      packCandidates(reading((db) => findCandidates(db, query, filter, ranking))),
    answer: ({ request, ranking }: { request: SearchRequest; ranking: Ranking }) =>
      readingAll((db) => answer(sourceIn(db), request, ranking)),
    texts: (ids: readonly number[]) => reading((db) => readTexts(db, ids)),
    summaries: (ids: readonly number[]) => reading((db) => readSummaries(db, ids)),
    words: ({ prefix, limit }: { prefix: string; limit: number }) =>
      reading((db) => readWords(db, prefix, limit)),
    similar: ({ word, limit }: { word: string; limit: number }) =>
      reading((db) => readSimilar(db, word, limit)),
    titles: ({ prefix, limit }: { prefix: string; limit: number }) =>
      reading((db) => readTitles(db, prefix, limit)),
    ids: ({ after, limit }: { after: number; limit: number }) =>
      reading((db) => readIds(db, after, limit)),
    versions: (ids: readonly number[]) => reading((db) => readVersions(db, ids)),
    ranks: (hosts: readonly string[]) => reading((db) => readRanks(db, hosts)),
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
