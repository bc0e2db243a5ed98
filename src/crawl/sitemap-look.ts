import type { HostRow } from "../db/hosts.ts";
import type { SitemapRow, SitemapWrite } from "../db/sitemaps.ts";
import type { Outcome } from "../fetch/outcome.ts";
import { HOPS_MAX } from "../frontier/admit.ts";
import { nextLook, type SitemapLook } from "../frontier/sitemap-refresh.ts";
import type { CrawlDeps } from "./deps.ts";
import type { SitemapReading } from "./sitemap-reading.ts";
import { redirectTarget, type UrlOutcome } from "./visit-event.ts";

/** What a look at a sitemap came to, for its row. */
export interface Look {
  look: SitemapLook;
  /** What was wrong, for people. */
  reason: string | null;
  /** What was learned of it, if it answered. */
  learned?: Pick<SitemapRow, "fetchedAt" | "etag" | "lastModified" | "bodyHash" | "entries"> & {
    admitted: number;
  };
}

type Answered = UrlOutcome | Extract<Outcome, { kind: "throttled" | "unreachable" }>;

/** Nothing of it counts on the host: a page shows soon enough how that is. */
export async function judgeLook(
  deps: CrawlDeps,
  host: HostRow,
  sitemap: SitemapRow,
  outcome: Answered,
  reading: SitemapReading,
): Promise<Look> {
  const now = deps.clock.now();
  switch (outcome.kind) {
    case "fetched":
      return fetched(sitemap, outcome, reading, now);
    case "unchanged": {
      const { etag, lastModified } = outcome.headers;
      const learned = {
        fetchedAt: new Date(now),
        etag: etag ?? sitemap.etag,
        lastModified: lastModified ?? sitemap.lastModified,
        bodyHash: sitemap.bodyHash,
        entries: sitemap.entries,
        admitted: 0,
      };
      return { look: { kind: "read", changed: false }, reason: null, learned };
    }
    case "redirected":
      return await redirected(deps, host, sitemap, outcome);
    case "gone":
    case "rejected":
      return { look: { kind: "gone" }, reason: `http ${outcome.status}` };
    case "refused":
      return { look: { kind: "gone" }, reason: `refused: ${outcome.reason}` };
    case "too large":
    case "malformed":
      return { look: { kind: "gone" }, reason: outcome.kind };
    case "unsupported":
      return { look: { kind: "gone" }, reason: `type ${outcome.contentType}`.slice(0, 100) };
    case "unavailable":
      return { look: { kind: "failed" }, reason: `http ${outcome.status}` };
    case "throttled": {
      const notBefore = now + (outcome.retryAfterMs ?? 0);
      return { look: { kind: "failed", notBefore }, reason: `http ${outcome.status}` };
    }
    case "unreachable":
      return { look: { kind: "failed" }, reason: `${outcome.cause}: ${outcome.detail}` };
    case "interrupted":
      return { ...broken(sitemap, reading), reason: `${outcome.cause}: not read to its end` };
    default:
      return outcome satisfies never;
  }
}

function fetched(
  sitemap: SitemapRow,
  outcome: Extract<Outcome, { kind: "fetched" }>,
  reading: SitemapReading,
  now: number,
): Look {
  if (reading.isBroken) return broken(sitemap, reading);
  if (reading.what === null || reading.what === "other") {
    const what = sitemap.kind === "feed" ? "not a feed" : "not a sitemap";
    return { look: { kind: "gone" }, reason: reading.trouble ?? what };
  }
  const bodyHash = reading.sink.hash;
  const learned = {
    fetchedAt: new Date(now),
    etag: outcome.headers.etag,
    lastModified: outcome.headers.lastModified,
    bodyHash,
    entries: reading.entries,
    admitted: reading.admitted,
  };
  const changed = bodyHash !== sitemap.bodyHash;
  return { look: { kind: "read", changed }, reason: reading.trouble, learned };
}

/** What came before stays in the frontier; without validators all of it comes again. */
function broken(sitemap: SitemapRow, reading: SitemapReading): Look {
  const { fetchedAt, bodyHash } = sitemap;
  const entries = reading.entries > 0 ? reading.entries : sitemap.entries;
  const bare = { fetchedAt, etag: null, lastModified: null, bodyHash, entries };
  const learned = { ...bare, admitted: reading.admitted };
  return { look: { kind: "failed" }, reason: reading.trouble, learned };
}

/** The target is a sitemap of its own, asked in the turn of its host and under its own rules. */
async function redirected(
  deps: CrawlDeps,
  host: HostRow,
  sitemap: SitemapRow,
  outcome: Extract<Outcome, { kind: "redirected" }>,
): Promise<Look> {
  const url = redirectTarget(outcome, sitemap.url);
  if (url === null) return { look: { kind: "gone" }, reason: "redirect to nowhere" };
  if (url === sitemap.url) return { look: { kind: "gone" }, reason: "redirect to itself" };
  if (sitemap.hops >= HOPS_MAX) return { look: { kind: "gone" }, reason: "too many redirects" };
  const { kind, origin, depth, hops } = sitemap;
  const [verdict] = await deps.finds.add([{ url, kind, origin, depth, hops: hops + 1 }], host.name);
  const isIn = verdict === "added" || verdict === "known";
  const reason = `redirected to ${url}${isIn ? "" : `: ${verdict}`}`;
  return isIn
    ? { look: { kind: "read", changed: false }, reason }
    : { look: { kind: "gone" }, reason };
}

/** The row as this look leaves it. */
export function writeOf(
  { clock, random, config }: Pick<CrawlDeps, "clock" | "random" | "config">,
  sitemap: SitemapRow,
  token: string,
  { look, reason, learned }: Look,
): SitemapWrite {
  const { recrawl, work } = config;
  const next = nextLook(sitemap, look, {
    now: clock.now(),
    random: random(),
    config: {
      recrawlMinMs: recrawl.minMs,
      recrawlMaxMs: recrawl.maxMs,
      retryBaseMs: work.retryBaseMs,
    },
  });
  return {
    ...sitemap,
    ...learned,
    admitted: learned?.admitted ?? 0,
    ...next,
    nextFetchAt: new Date(next.nextFetchAt),
    reason,
    token,
  };
}

/** It waits for its robots.txt, and nothing is said against it. */
export function waitsForRobots(
  sitemap: SitemapRow,
  token: string,
  retryAt: number,
  why: string,
): SitemapWrite {
  return { ...sitemap, nextFetchAt: new Date(retryAt), reason: why, admitted: 0, token };
}
