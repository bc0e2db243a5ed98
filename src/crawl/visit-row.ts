import type { UrlEvent } from "../actors/url-event.ts";
import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { VisitRow } from "../db/visits.ts";
import type { Outcome } from "../fetch/outcome.ts";
import type { NotAsked } from "./visit-event.ts";

/** When the steps of one visit were over (epoch ms), as far as it came. */
export interface VisitSteps {
  fetchStartedAt?: number;
  fetchedAt?: number;
  parsedAt?: number;
  indexedAt?: number;
}

/** One visit as the history keeps it. */
export function visitRow(visit: {
  hostId: number;
  url: ClaimedUrl;
  result: Outcome | NotAsked;
  /** null: it counted on the host, the URL was released. */
  event: UrlEvent | null;
  /** Why the URL that it points at was not admitted. */
  refusal?: string | null;
  state: string;
  steps: VisitSteps;
  now: number;
}): VisitRow {
  const { hostId, url, result, event, refusal = null, state, steps, now } = visit;
  const reason = event && "reason" in event ? event.reason : reasonOf(result);
  const at = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
  return {
    urlId: url.id,
    hostId,
    claimedAt: url.claimedAt,
    fetchStartedAt: at(steps.fetchStartedAt),
    fetchedAt: at(steps.fetchedAt),
    parsedAt: at(steps.parsedAt),
    indexedAt: at(steps.indexedAt),
    settledAt: new Date(now),
    outcome: result.kind,
    state,
    reason: refusal === null ? reason : `${reason}, target refused: ${refusal}`,
    status: "status" in result ? result.status : null,
    bytes: result.kind === "fetched" ? result.wireBytes : null,
    address: result.kind === "fetched" ? result.address : null,
  };
}

function reasonOf(result: Outcome | NotAsked): string | null {
  return result.kind === "unreachable" ? `${result.cause}: ${result.detail}` : null;
}
