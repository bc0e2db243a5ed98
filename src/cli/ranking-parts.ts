import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import * as change from "../crawl/change-ranking.ts";
import { QueryLog } from "../crawl/query-log.ts";
import { RankingWatch } from "../crawl/ranking-watch.ts";
import { inEffect, type RankingInEffect, readLastRanking } from "../crawl/saved-ranking.ts";
import type { Db } from "../db/connect.ts";
import { listQuerySums } from "../db/query-stats.ts";
import type { RankingDeps, SignalState } from "../http/ranking-deps.ts";
import { kept } from "../kept.ts";
import { SIGNAL_NAMES, settingOf } from "../ranking.ts";
import { NO_WISHES } from "../search/host-wishes.ts";
import type { SearchIndex } from "../search/port.ts";
import { type SearchRequest, search } from "../search/search.ts";
import { SIGNALS } from "../search/signals.ts";
import { loadSynonyms } from "../search/synonym-files.ts";
import type { Call } from "./command.ts";
import type { Parts } from "./parts.ts";
import { gazetteerOf } from "./region-file.ts";

const PREVIEWED = 10;
const QUERIES_SHOWN = 20;
const QUERIES_KEPT_MS = 10_000;

/** The ranking that the web server takes, and who sums queries up, if anybody does. */
export async function openRanking(
  { config, log }: Call,
  { database, lifecycle }: Parts,
): Promise<{ watch: RankingWatch; queries: QueryLog | null }> {
  const common = { db: database.db, clock: systemClock, log };
  const more = { dataDir: config.data.dir, configured: config.search.ranking };
  const watch = new RankingWatch({ ...common, ...more });
  await watch.start();
  lifecycle.add("ranking", () => watch.stop());
  if (!config.search.logsQueries) return { watch, queries: null };
  const queries = new QueryLog(common);
  queries.start();
  lifecycle.add("queries", () => queries.stop());
  return { watch, queries };
}

/** What a search from the shell is ranked by: the same, as the web server last knew it. */
export const lastRanking = async ({
  data,
  search,
}: Pick<Config, "data" | "search">): Promise<RankingInEffect> =>
  inEffect(search.ranking, await readLastRanking(data.dir));

/** The request with the operator's factors of hosts beside what the reader wishes. */
export function withFactors(
  request: SearchRequest,
  factors: RankingInEffect["factors"],
): SearchRequest {
  if (factors.size === 0) return request;
  return { ...request, wishes: { ...(request.wishes ?? NO_WISHES), factors } };
}

export function rankingDeps(
  { config }: Call,
  parts: { operate: { db: Db; index: SearchIndex }; watch: RankingWatch },
): RankingDeps {
  const { db, index } = parts.operate;
  const { watch } = parts;
  const configured = config.search.ranking;
  const deps = { db, clock: systemClock, configured, watch };
  const gazetteer = gazetteerOf(config);
  const queries = kept(() => listQuerySums(db, QUERIES_SHOWN), { keepMs: QUERIES_KEPT_MS });
  return {
    signals: () => statesOf(watch, configured),
    hosts: () => watch.saved.hosts,
    save: (ranking, actor) => change.saveWeights(deps, ranking, actor),
    reset: (actor) => change.saveWeights(deps, {}, actor),
    setHost: (host, factor, actor) => change.setHostFactor(deps, host, factor, actor),
    dropHost: (host, actor) => change.dropHostFactor(deps, host, actor),
    preview: (query, ranking) => {
      const shape = { page: 1, perPage: PREVIEWED, sort: "relevance", explain: true } as const;
      const request = withFactors({ query, ...shape }, watch.current.factors);
      return search(index, request, { gazetteer, ranking });
    },
    queries: async () => (config.search.logsQueries ? await queries() : null),
    synonyms: loadSynonyms().synonyms.langs.toSorted(),
  };
}

function statesOf(watch: RankingWatch, configured: RankingInEffect["ranking"]): SignalState[] {
  const roles = new Map(SIGNALS.map(({ name, role }) => [name as string, role]));
  const saved = new Map(watch.saved.signals.map((row) => [row.signal, row]));
  return SIGNAL_NAMES.map((name) => {
    const row = saved.get(name);
    return {
      name,
      role: roles.get(name) ?? "text",
      ...settingOf(watch.current.ranking, name),
      configured: settingOf(configured, name),
      saved: row === undefined ? null : { by: row.changedBy, at: row.changedAt },
    };
  });
}
