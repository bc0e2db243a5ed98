import { isWebUrl } from "../../templates/link.tsx";
import type { Hit, SearchResults } from "../search/search.ts";
import type { Segment } from "../search/snippet.ts";
import { escapeHtml, escapeXml } from "./xml.ts";

export interface RssOptions {
  title: string;
  /** Absolute addresses of the results as a page and of this feed. */
  pageUrl: string;
  feedUrl: string;
  untitled: string;
  builtAt: Date;
}

/** The results of a search as RSS 2.0, so that a saved search is a feed. */
export function searchRss(results: SearchResults, options: RssOptions): string {
  const { title, pageUrl, feedUrl, builtAt } = options;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escapeXml(title)}</title>
<link>${escapeXml(pageUrl)}</link>
<description>${escapeXml(escapeHtml(title))}</description>
<atom:link href="${escapeXml(feedUrl)}" rel="self" type="application/rss+xml"/>
<lastBuildDate>${builtAt.toUTCString()}</lastBuildDate>
${results.hits.map((hit) => item(hit, options.untitled)).join("\n")}
</channel>
</rss>
`;
}

function item(hit: Hit, untitled: string): string {
  const at = hit.publishedAt ?? hit.crawledAt;
  const title = plain(hit.title).trim() || untitled;
  return [
    "<item>",
    `<title>${escapeXml(title)}</title>`,
    ...(isWebUrl(hit.url) ? [`<link>${escapeXml(hit.url)}</link>`] : []),
    `<guid isPermaLink="false">${escapeXml(hit.url)}</guid>`,
    ...(Number.isNaN(at.getTime()) ? [] : [`<pubDate>${at.toUTCString()}</pubDate>`]),
    // Readers take a description for HTML, so the text is escaped for both.
    `<description>${escapeXml(escapeHtml(plain(hit.snippet)))}</description>`,
    "</item>",
  ].join("\n");
}

const plain = (segments: readonly Segment[]) => segments.map(({ text }) => text).join("");
