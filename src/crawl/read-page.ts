import type { UrlEvent } from "../actors/url-event.ts";
import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { Fetched } from "../fetch/outcome.ts";
import type { PackedPage, PackedResult } from "../parse/packed.ts";
import { canonicalElsewhere } from "./canonical-elsewhere.ts";
import type { CrawlDeps } from "./deps.ts";

export type PageRead =
  /** `event` null: the page may be indexed; else it must not be, but its links count. */
  | { kind: "page"; page: PackedPage; event: UrlEvent | null }
  | { kind: "no page"; event: UrlEvent }
  | { kind: "give back" };

/** Parses an answer in a killable thread and reads what it says about itself. */
export async function readPage(
  deps: CrawlDeps,
  url: ClaimedUrl,
  fetched: Fetched,
  host: string,
): Promise<PageRead> {
  const request = {
    url: url.url,
    body: fetched.body,
    contentType: fetched.contentType,
    charset: fetched.charset,
    robotsTag: fetched.headers.robotsTag,
    contentLanguage: fetched.headers.contentLanguage,
    tdmReservation: fetched.headers.tdmReservation,
    linkCanonical: fetched.headers.canonical,
    robotsToken: deps.config.robotsToken,
    fetchedAt: fetched.timing.endedAt,
  };
  const parsed = await deps.threads.run(request, [fetched.body.buffer as ArrayBuffer]);
  switch (parsed.kind) {
    case "full":
      return { kind: "give back" };
    case "killed": {
      deps.log.warn("parse.killed", { url: url.url, why: parsed.why, detail: parsed.detail });
      const event: UrlEvent = { type: "failed permanently", reason: `parse ${parsed.why}` };
      return { kind: "no page", event };
    }
    case "done":
      if (parsed.value.kind === "sitemap") throw new Error("a page was read as a sitemap");
      return await judged(deps, url, parsed.value, host);
    default:
      return parsed satisfies never;
  }
}

async function judged(
  deps: CrawlDeps,
  url: ClaimedUrl,
  value: PackedResult,
  host: string,
): Promise<PageRead> {
  if (value.kind === "not a page") {
    const { what } = value;
    const isRead = what === "feed" || what === "sitemap";
    if (isRead) await deps.finds.ofUrl(url.url, what, host, url.via === "seed");
    return { kind: "no page", event: noPage(what) };
  }
  if (!value.directives.nofollow) deps.finds.ofPage(value.feeds, host);
  const { noindex, unavailableAfter } = value.directives;
  const gone = unavailableAfter !== null && Date.parse(unavailableAfter) <= deps.clock.now();
  if (noindex || gone)
    return { kind: "page", page: value, event: { type: "settled", reason: "noindex" } };
  const target = await canonicalElsewhere(deps, url, value.canonical);
  if (target !== null) {
    const event: UrlEvent = { type: "settled", reason: "canonical", target };
    return { kind: "page", page: value, event };
  }
  return { kind: "page", page: value, event: null };
}

function noPage(what: "feed" | "sitemap" | "binary" | "pdf"): UrlEvent {
  if (what === "feed" || what === "sitemap") return { type: "settled", reason: "not a page" };
  return { type: "failed permanently", reason: `type ${what}` };
}
