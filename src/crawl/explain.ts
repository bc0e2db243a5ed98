import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { type DocumentRow, readDocument } from "../db/documents.ts";
import { type HostRow, readHost } from "../db/hosts.ts";
import { readUrls } from "../db/operate-urls.ts";
import { readRobots } from "../db/robots.ts";
import { type StoredVisit, visitsOf } from "../db/visits.ts";
import { regionScoreOfHost } from "../frontier/region.ts";
import { unpackText } from "../text/packed.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { authority } from "../url/host.ts";
import { explainRefused, trapsAt } from "./explain-traps.ts";
import { delayOfHost } from "./host-gap.ts";
import { robotsVerdict } from "./robots-verdict.ts";
import { findTyped } from "./typed-url.ts";

const VISITS_SHOWN = 20;

/**
 * Everything known of one URL, as a person wrote it; null for one that was never admitted, and of
 * which no trap tells why.
 */
export async function explainUrl(
  { db, config }: { db: Db; config: Config },
  text: string,
): Promise<Explanation | null> {
  const row = await findTyped(db, text);
  if (!row) return await explainRefused(db, text);
  const where = authority(row.url as CanonicalUrl);
  const [host, document, visits, [robots], [target]] = await Promise.all([
    readHost(db, row.hostId),
    readDocument(db, row.id),
    visitsOf(db, row.id, VISITS_SHOWN),
    readRobots(db, [where]),
    readUrls(db, row.targetId === null ? [] : [row.targetId]),
  ]);
  const traps = await trapsAt(db, host, row.url as CanonicalUrl);
  return {
    id: row.id,
    url: row.url,
    state: row.state,
    reason: row.reason,
    status: row.status,
    priority: row.priority,
    depth: row.depth,
    via: row.via,
    admitted_at: row.admittedAt,
    visits: row.visits,
    changes: row.changes,
    attempts: row.attempts,
    crashes: row.crashes,
    last_visit_at: row.visitedAt,
    next_visit_at: row.nextCrawlAt,
    target: target?.url ?? null,
    host: host && {
      name: host.name,
      state: host.state,
      reason: host.reason,
      authority: host.authority,
      linked_by: host.linkingHosts,
      next_turn_at: host.nextTurnAt,
      // A turn that asked for nothing leaves the beginning of time: no request has to wait.
      next_fetch_at: host.nextFetchAt?.getTime() ? host.nextFetchAt : null,
      delay: delayOfHost(host, config),
    },
    traps,
    robots: {
      verdict: robotsVerdict(robots, row.url, config.robotsToken),
      reason: robots ? robots.failure : "robots.txt was not asked for yet",
    },
    document: document && {
      title: document.title,
      lang: document.lang,
      characters: unpackText(document.text).length,
      published_at: document.publishedAt,
      crawled_at: document.crawledAt,
      indexed_at: document.indexedAt,
    },
    region: document && regionOf(document, host),
    in_index: document !== null,
    why: whyInIndex(row, document !== null),
    history: visits.map(historyOf),
  };
}

/** Null: the page was not scored for one. */
function regionOf(document: DocumentRow, host: HostRow | null) {
  const { regionScore, region, category } = document;
  if (regionScore === null || region === null) return null;
  return {
    score: regionScore / 1_000,
    host_score: host && regionScoreOfHost(host),
    category,
    locations: region.locations,
    signals: region.signals,
  };
}

export interface Explanation extends Record<string, unknown> {
  url: string;
  state: string;
  why: string;
}

function historyOf(visit: StoredVisit): Record<string, unknown> {
  return {
    outcome: visit.outcome,
    state: visit.state,
    reason: visit.reason,
    status: visit.status,
    bytes: visit.bytes,
    address: visit.address,
    claimed_at: visit.claimedAt,
    fetch_started_at: visit.fetchStartedAt,
    fetched_at: visit.fetchedAt,
    parsed_at: visit.parsedAt,
    indexed_at: visit.indexedAt,
    settled_at: visit.settledAt,
  };
}

function whyInIndex(
  row: { state: string; reason: string | null; visits: number; attempts: number },
  hasDocument: boolean,
): string {
  if (hasDocument) return "in the index";
  if (row.state === "pending" && row.visits === 0) return "not in the index: not visited yet";
  if (row.state === "pending") return `not in the index: ${row.reason ?? "it waits for a visit"}`;
  if (row.state === "in_progress") return "not in the index: it is being visited";
  return `not in the index: ${row.state}${row.reason ? `, ${row.reason}` : ""}`;
}
