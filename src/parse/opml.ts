import { parseOpml } from "feedsmith";
import { mended } from "./feed.ts";

/** Feeds of one list; no reader of feeds has more. */
const OPML_FEEDS_MAX = 10_000;

interface Outline {
  xmlUrl?: string | undefined;
  outlines?: (Outline | undefined)[] | undefined;
}

/** Addresses of the feeds that a list in OPML names, as written; null: it is no such list. */
export function feedsOfOpml(text: string): string[] | null {
  const feeds: string[] = [];
  try {
    const waiting: (Outline | undefined)[] = [...(parseOpml(mended(text)).body?.outlines ?? [])];
    for (let at = 0; at < waiting.length && feeds.length < OPML_FEEDS_MAX; at++) {
      const outline = waiting[at];
      if (outline?.xmlUrl) feeds.push(outline.xmlUrl.trim());
      for (const inner of outline?.outlines ?? []) waiting.push(inner);
    }
  } catch {
    // The library throws for what is no list of feeds.
    return null;
  }
  return feeds;
}
