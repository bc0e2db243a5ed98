import type { UrlEvent } from "../actors/url-event.ts";
import type { Outcome, Redirected } from "../fetch/outcome.ts";
import type { TrapReason } from "../frontier/host-traps.ts";
import { type CanonicalUrl, canonicalUrl } from "../url/canonical.ts";

/** Outcomes that count on the host or on ourselves never reach the URL. */
export type UrlOutcome = Exclude<
  Outcome,
  { kind: "throttled" | "unreachable" | "no slot" | "aborted" }
>;

/** Nothing was asked: robots.txt says no, or the URL is one of a trap. */
export type NotAsked = { kind: "disallowed" } | { kind: "trapped"; reason: TrapReason };

/** What an answer without a page to read means for its URL. */
export function eventOf(
  outcome: Exclude<UrlOutcome, { kind: "fetched" }> | NotAsked,
  url: string,
): UrlEvent {
  switch (outcome.kind) {
    case "disallowed":
      return { type: "settled", reason: "robots" };
    case "trapped":
      return { type: "settled", reason: outcome.reason };
    case "unchanged":
      return {
        type: "not modified",
        etag: outcome.headers.etag,
        lastModified: outcome.headers.lastModified,
      };
    case "redirected":
      return redirected(outcome, url);
    case "gone":
      return outcome.status === 410 ? { type: "gone" } : { type: "not found" };
    case "unavailable":
      return {
        type: "failed transiently",
        reason: `http ${outcome.status}`,
        status: outcome.status,
      };
    case "rejected":
      return {
        type: "failed permanently",
        reason: `http ${outcome.status}`,
        status: outcome.status,
      };
    case "refused":
      return { type: "failed permanently", reason: `refused: ${outcome.reason}` };
    case "interrupted":
      return { type: "failed transiently", reason: outcome.cause };
    case "too large":
      return { type: "failed permanently", reason: "too large" };
    case "malformed":
      return { type: "failed permanently", reason: "malformed" };
    case "unsupported":
      return { type: "failed permanently", reason: `type ${outcome.contentType}`.slice(0, 100) };
    default:
      return outcome satisfies never;
  }
}

/** Where a redirect of `url` leads; null: nowhere that could be a URL of the crawl. */
export function redirectTarget(
  { location }: Pick<Redirected, "location">,
  url: string,
): CanonicalUrl | null {
  const target = location === null ? null : canonicalUrl(location, url);
  return target?.kind === "canonical" ? target.url : null;
}

function redirected(outcome: Redirected, url: string): UrlEvent {
  const { status } = outcome;
  const target = redirectTarget(outcome, url);
  if (target === null) return { type: "failed permanently", reason: "redirect to nowhere", status };
  if (target === url) return { type: "failed permanently", reason: "redirect to itself", status };
  return { type: "settled", reason: "redirected", status, target };
}

/** A sitemap as a gzip file: no page, and its body was not downloaded. */
export function isPackedSitemap(
  result: UrlOutcome | NotAsked,
  url: string,
): result is Extract<UrlOutcome, { kind: "unsupported" }> {
  const isGzip = result.kind === "unsupported" && /gzip|octet-stream/.test(result.contentType);
  return isGzip && /\.(?:xml|txt)\.gz$/i.test(new URL(url).pathname);
}
