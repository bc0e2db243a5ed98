import type { ClaimedUrl } from "../db/claim-urls.ts";
import { thousandths } from "../frontier/region.ts";
import type { PackedPage } from "../parse/packed.ts";
import type { CrawlDeps } from "./deps.ts";
import { indexDocument, type ReadDocument } from "./index-document.ts";

export type Indexed =
  | { kind: "indexed" }
  /** The index holds a version that was fetched later, and kept it. */
  | { kind: "superseded" }
  /** Another URL owns the same main text. */
  | { kind: "duplicate"; ownerId: number }
  | { kind: "refused"; detail: string }
  | { kind: "unavailable"; detail: string };

/**
 * Index first, then settle: the document's id is the URL's, so doing it twice changes nothing. Who
 * owns the main text is decided before, so that of two equal pages in flight one is never put.
 */
export async function indexPage(
  deps: CrawlDeps,
  { host }: { host: string },
  url: ClaimedUrl,
  page: PackedPage,
  row: ReadDocument,
): Promise<Indexed> {
  if (page.contentHash !== null) {
    const ownerId = await deps.owners.add({ hash: page.contentHash, urlId: url.id });
    if (ownerId !== url.id) return { kind: "duplicate", ownerId };
  }
  const put = await deps.index.put({
    ...indexDocument(row, { url: url.url, host }, page.analysis),
    // What was made of it while it still allowed that must not be shown any more.
    ...(page.directives.noai ? { summary: null } : {}),
  });
  return put.kind === "stored" ? { kind: "indexed" } : put;
}

/** The document as the store keeps it: `reindex` rebuilds the index from these rows alone. */
export function documentOf(url: ClaimedUrl, page: PackedPage, fetchedAt: number): ReadDocument {
  return {
    urlId: url.id,
    title: page.title,
    description: page.description,
    lang: page.lang,
    headings: page.headings,
    text: page.text,
    contentHash: page.contentHash,
    simhash: page.simhash === null ? null : BigInt(page.simhash),
    linkDensity: page.linkDensity,
    linkCount: page.linkCount,
    noarchive: page.directives.noarchive,
    noai: page.directives.noai,
    publishedAt: page.publishedAt === null ? null : new Date(page.publishedAt),
    crawledAt: new Date(fetchedAt),
    ...regionOf(page.region),
  };
}

function regionOf(verdict: PackedPage["region"]) {
  if (verdict === null) return { regionScore: null, region: null, category: null };
  const { score, signals, locations, category } = verdict;
  return { regionScore: thousandths(score), region: { signals, locations }, category };
}
