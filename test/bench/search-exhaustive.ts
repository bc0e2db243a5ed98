import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Candidate } from "../../src/search/document.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { createScorer, type Scorer } from "../../src/search/score.ts";
import { search } from "../../src/search/search.ts";
import { ForwardData } from "../../src/text/forward-data.ts";
import { hashText } from "../../src/text/hash.ts";
import type { AskedQuery } from "./search-kinds.ts";

const TOP = 10;
/** Scores that differ by less are one: which of equals comes first says nothing. */
const EQUAL = 1e-9;

interface Asked {
  kind: string;
  found: { id: number; score: number }[];
  scorer: Scorer;
  /** The best scores of all documents, best first. */
  best: number[];
  /** The document that its score() was last asked for. */
  row: number;
}

/**
 * How much of the top ten of every document scored is in the top ten that the index finds: one pass
 * over the whole file, each document scored for the queries of which it has a word.
 */
export async function compareWithAll(
  index: SearchIndex,
  dataDir: string,
  queries: readonly AskedQuery[],
) {
  const asked: Asked[] = [];
  const byHash = new Map<number, Asked[]>();
  for (const { kind, query } of queries) {
    const parsed = parseQuery(query);
    const set = await index.candidates(parsed, { sort: "relevance", limit: 1 });
    const answer = await search(index, {
      ...{ query, page: 1, perPage: TOP, sort: "relevance", collapse: "none", explain: false },
    });
    const found = answer.hits.map(({ id, score }) => ({ id, score }));
    const own: Asked = { kind, found, scorer: createScorer(parsed, set), best: [], row: -1 };
    asked.push(own);
    for (const form of set.df.keys()) {
      const hash = hashText(form);
      byHash.set(hash, [...(byHash.get(hash) ?? []), own]);
    }
  }
  scoreAll(dataDir, byHash);
  return partsOf(asked);
}

function scoreAll(dataDir: string, byHash: ReadonlyMap<number, Asked[]>): void {
  const db = new Database(join(dataDir, "search.sqlite"), { readonly: true });
  const pages = db.query<
    {
      row: number;
      id: number;
      lang: string;
      words: number;
      link_density: number;
      region_score: number | null;
      forward: Uint8Array;
    },
    []
  >("select row, id, lang, words, link_density, region_score, forward from pages");
  for (const page of pages.iterate()) {
    const { row, id, lang, words, link_density: linkDensity, forward } = page;
    const data = ForwardData.read(forward)!;
    const candidate: Candidate = {
      ...{ id, url: "", host: "", lang, title: "", publishedAt: null, crawledAt: 0 },
      ...{ simhash: null, words, linkDensity, authority: null, forward },
      ...{ regionScore: page.region_score, regionHost: null, locations: null },
    };
    for (let at = 0; at < data.termCount; at++) {
      for (const own of byHash.get(data.hashAt(at)) ?? []) {
        if (own.row === row) continue;
        own.row = row;
        keepBest(own.best, own.scorer.score(candidate)?.score ?? 0);
      }
    }
  }
  db.close();
}

function keepBest(best: number[], score: number): void {
  if (score === 0 || (best.length === TOP && score <= best[TOP - 1]!)) return;
  let at = best.length;
  while (at > 0 && best[at - 1]! < score) at--;
  best.splice(at, 0, score);
  if (best.length > TOP) best.pop();
}

function partsOf(asked: readonly Asked[]) {
  const kinds: Record<string, { of: number; found: number }> = {};
  for (const { kind, found, best } of asked) {
    kinds[kind] ??= { of: 0, found: 0 };
    const last = (best.at(-1) ?? 0) * (1 - EQUAL);
    kinds[kind].of += best.length;
    // A word that no document has is answered by others: that is no agreement.
    const good = found.filter(({ score }) => score >= last).length;
    kinds[kind].found += Math.min(good, best.length);
  }
  const part = ({ of, found }: { of: number; found: number }) =>
    of === 0 ? 1 : Math.round((found / of) * 1_000) / 1_000;
  const all = Object.values(kinds).reduce(
    (sum, own) => ({ of: sum.of + own.of, found: sum.found + own.found }),
    { of: 0, found: 0 },
  );
  return {
    queries: asked.length,
    part: part(all),
    byKind: Object.fromEntries(Object.entries(kinds).map(([kind, own]) => [kind, part(own)])),
  };
}
