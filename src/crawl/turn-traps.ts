import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { HostRow } from "../db/hosts.ts";
import type { SettledLearning } from "../db/settle-group.ts";
import { isFollowed, pageOf, trapsFor } from "../frontier/admit.ts";
import type { TrapReason } from "../frontier/host-traps.ts";
import { isNamedLater } from "../frontier/priority.ts";
import type { PackedPage } from "../parse/packed.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import type { HostName } from "../url/host.ts";
import type { CrawlDeps } from "./deps.ts";
import type { Discovered } from "./discover.ts";
import { settledOf, URLS_MIN } from "./traps.ts";

type Deps = Pick<CrawlDeps, "traps" | "policy" | "pages" | "storedTraps" | "refusals" | "clock">;

/** At the begin of a turn, in one statement for many of them. */
export async function openTraps(deps: Deps, host: HostRow): Promise<void> {
  const stored = host.urlCount < URLS_MIN ? null : await deps.storedTraps.add(host.id);
  deps.traps.open(host.name, stored, deps.clock.now());
}

/**
 * Why a claimed URL is not asked for after all; null: it is. What has been visited goes on being
 * visited, and now and then one URL of a pattern that is cut is looked at.
 */
export async function trapOf(
  deps: Deps,
  host: Pick<HostRow, "id" | "name">,
  url: ClaimedUrl,
): Promise<TrapReason | null> {
  if (!isOnlyFound(url)) return null;
  const traps = deps.traps.of(host.name);
  if (!traps.hasRules) return null;
  const where = url.url as CanonicalUrl;
  const rules = trapsFor(where, host.name as HostName, url.via, deps.policy.policy());
  if (rules === null) return null;
  const cut = traps.cutOf(where);
  if (cut !== null && !traps.takesLook(cut, deps.clock.now())) return "pattern cut";
  const { pageKey } = pageOf(where, traps);
  if (pageKey === undefined) return null;
  const isOwn = await deps.pages.add({ hostId: host.id, key: pageKey, urlId: url.id });
  return isOwn ? null : "same page";
}

/** Not read before, and nobody named it. */
const isOnlyFound = ({ crawledAt, via, priority }: ClaimedUrl): boolean =>
  crawledAt === null && isFollowed(via) && !isNamedLater(priority);

/** What a page taught of its host, as far as that must be kept. */
export function learnFrom(
  deps: Deps,
  host: { id: number; name: string },
  url: ClaimedUrl,
  page: PackedPage,
  found: Discovered,
): SettledLearning | undefined {
  const { sample, linksHash, pathsHash, contentHash } = page;
  const learned = deps.traps.of(host.name).note(
    {
      url: url.url as CanonicalUrl,
      isFound: isOnlyFound(url),
      sample,
      linksHash,
      pathsHash,
      isLong: contentHash !== null,
      links: newLinks(found, host.name),
    },
    deps.clock.now(),
  );
  return settledOf(host.id, learned);
}

/** A link that there was no room for may lead to anything. */
function* newLinks(found: Discovered, host: string): Iterable<CanonicalUrl | null> {
  if (found.full.size > 0) yield null;
  for (const row of found.rows) yield row.host === host ? (row.url as CanonicalUrl) : null;
}
