import type { ActionResult } from "../crawl/move-url.ts";
import type { QueryLists } from "../db/query-stats.ts";
import type { HostFactorRow } from "../db/ranking.ts";
import type { Ranking, SignalName, SignalSetting } from "../ranking.ts";
import type { HostFactor } from "../search/host-wishes.ts";
import type { SearchResults } from "../search/search.ts";

export type { HostFactorRow, QueryLists };

/** One signal of the score, as it counts now. */
export interface SignalState extends SignalSetting {
  name: SignalName;
  /** The words have no weight of their own; factors multiply them, priors add to them. */
  role: "text" | "factor" | "prior";
  /** Without what was saved here: the setting, else the usual weight. */
  configured: SignalSetting;
  /** Who saved it here, and when; null: it is as configured. */
  saved: { by: string; at: Date } | null;
}

/** What the console's page of the search asks for. Reading the ranking costs nothing. */
export interface RankingDeps {
  signals(): readonly SignalState[];
  hosts(): readonly HostFactorRow[];
  /** Each action audits itself, under the actor's name. */
  save(ranking: Ranking, actor: string): Promise<ActionResult>;
  /** Back to what is configured. */
  reset(actor: string): Promise<ActionResult>;
  setHost(host: string, factor: HostFactor, actor: string): Promise<ActionResult>;
  dropHost(host: string, actor: string): Promise<ActionResult>;
  /** The first results with these weights. Rejects with IndexUnavailable. */
  preview(query: string, ranking: Ranking): Promise<SearchResults>;
  /** What people ask for; null: nobody writes it down (QUERY_LOG). */
  queries(): Promise<QueryLists | null>;
  /** Languages with synonyms of their own. */
  synonyms: readonly string[];
}
