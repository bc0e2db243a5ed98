import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { answer } from "../../src/search/answer.ts";
import type { CandidateSource, SearchIndex } from "../../src/search/port.ts";
import { createScorer } from "../../src/search/score.ts";
import { Pages } from "../../src/search/sqlite/pages.ts";
import { openForReading } from "../../src/search/sqlite/tables.ts";
import type { Ask } from "./ask.ts";
import type { Text } from "./cacm.ts";

const CANDIDATES_MAX = 800;
const BUSY_MS = 1_000;

/** Answers as search() does, but no candidates are chosen: every document is scored. */
export function askingAll(index: SearchIndex, dataDir: string, texts: readonly Text[]) {
  const db = openForReading(join(dataDir, "search.sqlite"), BUSY_MS);
  const source = scoringAll(index, db);
  const ask: Ask = async (query, perPage = 100) => {
    const request = { query, perPage, page: 1, sort: "relevance", explain: false } as const;
    const { hits } = await answer(source, { ...request, collapse: "none" }, {});
    return hits.map(({ id }) => texts[id - 1]!.id);
  };
  return { ask, close: () => db.close() };
}

function scoringAll(index: SearchIndex, db: Database): CandidateSource {
  const rows = db.query<{ row: number }, []>("select row from pages").values().flat() as number[];
  return {
    backend: index.backend,
    async candidates(query, filter) {
      const found = await index.candidates(query, { ...filter, limit: 1 });
      const scorer = createScorer(query, found);
      const scored = new Pages(db, query)
        .read(rows)
        .map((candidate) => (candidate === null ? null : scorer.score(candidate)))
        .filter((own) => own !== null)
        .sort((one, other) => other.score - one.score || one.candidate.id - other.candidate.id);
      const candidates = scored.slice(0, CANDIDATES_MAX).map(({ candidate }) => candidate);
      return { ...found, candidates };
    },
    texts: (ids) => index.texts(ids),
    summaries: (ids) => index.summaries(ids),
    words: (prefix, limit) => index.words(prefix, limit),
    similar: (word, limit) => index.similar(word, limit),
  };
}
