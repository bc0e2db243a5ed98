import { parseFeed as parseAny } from "feedsmith";
import { cleanLine } from "./clean.ts";

/** What one entry of a feed says. */
export interface FeedEntry {
  /** Where it can be read, absolute. */
  url: string | null;
  /** What tells it from others of its feed. */
  id: string | null;
  title: string | null;
}

/** Entries looked at; a feed with more is an archive, and its newest come first. */
export const FEED_ENTRIES_MAX = 5_000;
const FIELD_CHARS_MAX = 2_000;

/**
 * Entries of an RSS, RDF, Atom or JSON feed in its order; null for what is no feed. `url` is that
 * of the feed. What a document defines is not expanded, and nothing outside is read.
 */
export function parseFeed(text: string, url: string): FeedEntry[] | null {
  const parsed = parsedFeed(text);
  if (parsed === null) return null;
  const base = parsed.format === "json" ? url : based(parsed.feed.xml?.base, url);
  switch (parsed.format) {
    case "atom":
      return listed(parsed.feed.entries).map((entry) =>
        entryOf(linkOf(entry?.links), entry?.id, entry?.title, based(entry?.xml?.base, base)),
      );
    case "json":
      return listed(parsed.feed.items).map((item) =>
        entryOf(item?.url ?? item?.external_url, item?.id, item?.title, base),
      );
    case "rss":
      return listed(parsed.feed.items).map((item) => {
        const link = item?.link ?? linkOf(item?.atom?.links) ?? permalink(item?.guid);
        return entryOf(link, item?.guid?.value, item?.title, based(item?.xml?.base, base));
      });
    case "rdf":
      return listed(parsed.feed.items).map((item) =>
        entryOf(item?.link ?? item?.rdf?.about, item?.rdf?.about, item?.title, base),
      );
    default:
      return parsed satisfies never;
  }
}

/** `xml:base` within that of what is around it. */
function based(written: string | undefined, base: string): string {
  return written === undefined ? base : (URL.parse(written, base)?.href ?? base);
}

/** The library throws for what is no feed. */
function parsedFeed(text: string): ReturnType<typeof parseAny> | null {
  try {
    return parseAny(mended(text));
  } catch {
    return null;
  }
}

/** A DTD with what it defines: to the library one that names a file is no XML at all. */
const DTD = /<!DOCTYPE[^>[]{0,1000}(?:\[[^\]]*\]\s*)?>/i;

/** Without what is before the document, its DTD, and characters that XML does not have. */
export function mended(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what has to go.
  const clean = text.replace(/^[\s\ufeff]+/, "").replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "");
  return clean.replace(DTD, "");
}

function listed<T>(list: readonly T[] | undefined): readonly T[] {
  return (list ?? []).slice(0, FEED_ENTRIES_MAX);
}

function entryOf(link: unknown, id: unknown, title: unknown, base: string): FeedEntry {
  const written = fieldOf(link);
  const url = written === null ? null : (URL.parse(written, base)?.href ?? null);
  return { url, id: fieldOf(id), title: fieldOf(title) };
}

/** A title of Atom stands in an object, with its type. */
function fieldOf(value: unknown): string | null {
  const said =
    typeof value === "object" && value !== null && "value" in value ? value.value : value;
  const text = typeof said === "string" ? cleanLine(said, FIELD_CHARS_MAX) : "";
  return text === "" ? null : text;
}

interface Link {
  href?: string | undefined;
  rel?: string | undefined;
}

/** The page of an entry: `alternate`, which is also what a link without `rel` is. */
function linkOf(links: readonly Link[] = []): string | undefined {
  return links.find(({ href, rel }) => href && (rel ?? "alternate") === "alternate")?.href;
}

/** A guid is a permalink unless it says that it is none; it must look like an address, too. */
function permalink(
  guid: { value?: string; isPermaLink?: boolean } | undefined,
): string | undefined {
  if (guid?.value === undefined || guid.isPermaLink === false) return undefined;
  return /^https?:\/\//i.test(guid.value) ? guid.value : undefined;
}
