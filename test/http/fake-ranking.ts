import type { ActionResult } from "../../src/crawl/move-url.ts";
import type { RankingDeps, SignalState } from "../../src/http/ranking-deps.ts";
import { DEFAULT_WEIGHTS, SIGNAL_NAMES } from "../../src/ranking.ts";
import type { Hit, SearchResults } from "../../src/search/search.ts";
import { NOW } from "./rows.ts";

export interface RankingWorld {
  calls: string[];
  text: string;
  result: ActionResult;
  isBroken: boolean;
}

const SAVED = { by: "admin", at: new Date(NOW - 3_600_000) };

/** Six pages, of which the later ones have the more authority: enough to see them move. */
export function rankingDeps(world: RankingWorld, store: <T>(value: T) => Promise<T>): RankingDeps {
  const act = async (call: string) => {
    world.calls.push(call);
    return await store(world.result);
  };
  const sums = { query: world.text, requests: 12, empty: 4, slow: 3, slowestMs: 180 };
  const lists = { top: [sums, { ...sums, query: "tide table" }], empty: [sums], slow: [sums] };
  return {
    signals: () => SIGNAL_NAMES.map(stateOf),
    hosts: () => [
      { host: "a.example", factor: "raise", changedBy: "admin", changedAt: SAVED.at },
      { host: "b.example", factor: "muchLower", changedBy: world.text, changedAt: SAVED.at },
    ],
    save: (ranking, actor) => {
      const { authority, freshness } = ranking;
      const said = `${authority?.weight} ${freshness?.enabled}`;
      return act(`save ${Object.keys(ranking).length} ${said} ${actor}`);
    },
    reset: (actor) => act(`reset ${actor}`),
    setHost: (host, factor, actor) => act(`${factor} ${host} ${actor}`),
    dropHost: (host, actor) => act(`drop ${host} ${actor}`),
    preview: async (query, ranking) => {
      const { enabled, weight } = ranking.authority ?? { enabled: true, weight: 0.5 };
      return resultsOf(query, world.text, enabled ? weight : 0);
    },
    queries: () => store(lists),
    synonyms: ["en", "fr"],
  };
}

function stateOf(name: SignalState["name"]): SignalState {
  const factors = ["quality", "navigational", "rules"];
  const role = name === "text" ? "text" : factors.includes(name) ? "factor" : "prior";
  const usual = { enabled: true, weight: DEFAULT_WEIGHTS[name] };
  const own = name === "freshness" ? { enabled: true, weight: 1.2 } : usual;
  return { name, role, ...own, configured: usual, saved: name === "freshness" ? SAVED : null };
}

function resultsOf(query: string, text: string, weight: number): SearchResults {
  const hits = Array.from({ length: 6 }, (_, at) => hitOf(at, text, weight));
  hits.sort((one, other) => other.score - one.score);
  return {
    ...{ query, total: 48, totalCapped: false, page: 1, perPage: 10, tookMs: 4 },
    ...{ backend: "embedded", degraded: [], folded: 0, hits, didYouMean: null },
    facets: { lang: [], host: [], category: [], year: [] },
  };
}

function hitOf(at: number, text: string, weight: number): Hit {
  const host = `${"abcdef"[at]}.example`;
  const authority = at / 5;
  const words = 6 - at * 0.6;
  return {
    ...{ id: at + 1, url: `https://${host}/page`, host, lang: "en" },
    title: [{ text: `${text} ${at + 1}`, match: false }],
    ...{ snippet: [], summary: null, publishedAt: null, crawledAt: new Date(NOW) },
    ...{ moreFromHost: 0, folded: 0, score: words * (1 + weight * authority) },
    explain: {
      ...{ text: words, quality: 1.05, authority, regionPage: 0, regionHost: 0, freshness: 0.2 },
      ...{ locality: 0, navigational: 1, rules: at === 0 ? 1.6 : 1 },
    },
  };
}
