import type { Lease } from "../db/claim-urls.ts";
import { causeFirst } from "../log.ts";
import type { CrawlDeps } from "./deps.ts";

/**
 * That a URL is about to be asked for. While a gap runs the mark is waited for; without one it must
 * not hold up the request.
 */
export async function markUrl(
  { marks, breaker }: Pick<CrawlDeps, "marks" | "breaker">,
  lease: Lease,
  isPatient: boolean,
): Promise<void> {
  const marked = marks.add(lease);
  const tolerated = marked.catch((error) => breaker.trip("postgres", causeFirst(error)));
  if (isPatient) await tolerated;
}
