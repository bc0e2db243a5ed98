import type { SeedItem } from "../crawl/submit.ts";
import { parseFeed } from "../parse/feed.ts";
import { feedsOfOpml } from "../parse/opml.ts";
import { xmlCharset } from "../parse/sitemap.ts";
import { isSitemapRoot, SCAN_START, SitemapScan } from "../parse/sitemap-scan.ts";

export interface SeedXml {
  /** As it was named: its troubles begin with it. */
  path: string;
  /** The first piece holds what says the charset. */
  chunks: AsyncIterable<Uint8Array>;
  /** Characters of a feed or list of feeds, which is read as a whole. */
  wholeMax: number;
  /** What is wrong, and where; what came before it is taken. */
  trouble: (message: string) => void;
}

/**
 * What an XML file names: URLs of a sitemap or feed, sitemaps of an index, feeds of a list in OPML.
 * A sitemap is read while it comes, of any size in little memory.
 */
export async function* itemsOfXml({
  path,
  chunks,
  wholeMax,
  trouble,
}: SeedXml): AsyncGenerator<SeedItem> {
  let state = SCAN_START;
  /** Of what is no sitemap, or not known yet. */
  let whole = "";
  const place = { line: 1, bytes: 0, isBroken: false };
  for await (const { text, isLast } of texts(chunks, place, (why) => trouble(`${path} ${why}`))) {
    const scan = new SitemapScan(state);
    state = scan.push(text, isLast);
    const { root } = state;
    if (isSitemapRoot(root)) {
      whole = "";
      for (const entry of scan.entries) {
        if (root === "sitemapindex") yield { kind: "sitemap", url: entry.loc.trim() };
        else for (const url of [entry.loc, ...entry.alternates]) yield url.trim();
      }
      continue;
    }
    whole += text;
    if (whole.length > wholeMax) {
      return trouble(`${path} is larger than FETCH_MAX_BYTES lets a feed be: cut it in pieces`);
    }
    if (root !== null && !(root in WHOLES)) {
      return trouble(
        `${path}: <${root.slice(0, 40)}> at line ${lineOf(whole, root)} is no root of a sitemap ` +
          "(<urlset>, <sitemapindex>), feed (<rss>, <feed>, <rdf:RDF>) or list of feeds (<opml>)",
      );
    }
  }
  const { root } = state;
  if (place.isBroken && !isSitemapRoot(root)) return;
  if (root === null) return trouble(`${path} has no element: it is no XML`);
  const end = isSitemapRoot(root) ? state.isOver : hasEnd(whole, root);
  if (!isSitemapRoot(root)) {
    const items = WHOLES[root]!(whole);
    if (items === null)
      return trouble(`${path}: its <${root}> cannot be read as what it says it is`);
    yield* items;
  }
  if (end || place.isBroken) return;
  const { line, bytes } = place;
  trouble(`${path} ends at line ${line} (byte ${bytes}) without </${root}>: is all of it there?`);
}

const urlsOfFeed = (text: string): SeedItem[] | null =>
  parseFeed(text, "about:blank")?.flatMap(({ url }) => url ?? []) ?? null;

const feedsOf = (text: string): SeedItem[] | null =>
  feedsOfOpml(text)?.map((url): SeedItem => ({ kind: "feed", url })) ?? null;

/** By root element, what is read as a whole. */
const WHOLES: Readonly<Record<string, (text: string) => SeedItem[] | null>> = {
  rss: urlsOfFeed,
  feed: urlsOfFeed,
  rdf: urlsOfFeed,
  opml: feedsOf,
};

const hasEnd = (text: string, root: string): boolean =>
  new RegExp(`</(?:[^\\s:<>]*:)?${root}\\s*>`, "i").test(text);

const lineOf = (text: string, root: string): number =>
  text.slice(0, text.search(new RegExp(`<[^<>!?]*${RegExp.escape(root)}`, "i"))).split("\n").length;

/** Text of the pieces; ends where bytes are none of the charset, and tells where that is. */
async function* texts(
  chunks: AsyncIterable<Uint8Array>,
  place: { line: number; bytes: number; isBroken: boolean },
  trouble: (why: string) => void,
): AsyncGenerator<{ text: string; isLast: boolean }> {
  let decoder: TextDecoder | null = null;
  const decoded = (chunk?: Uint8Array): string => {
    const text = decoder!.decode(chunk, { stream: chunk !== undefined });
    place.bytes += chunk?.length ?? 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) place.line++;
    return text;
  };
  try {
    for await (const chunk of chunks) {
      decoder ??= new TextDecoder(xmlCharset(chunk, null) ?? "utf-8", { fatal: true });
      yield { text: decoded(chunk), isLast: false };
    }
    if (decoder !== null) yield { text: decoded(), isLast: true };
  } catch (error) {
    const { line, bytes } = place;
    place.isBroken = true;
    const where = `line ${line} (byte ${bytes})`;
    if (error instanceof TypeError) {
      trouble(
        `has bytes behind ${where} that are not ${decoder?.encoding}: its first line must say ` +
          'its encoding, as in <?xml version="1.0" encoding="windows-1252"?>',
      );
    } else {
      trouble(`cannot be read behind ${where}: ${(error as Error).message}`);
    }
    yield { text: "", isLast: true };
  }
}
