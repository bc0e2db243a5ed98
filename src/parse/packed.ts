import { type PackedText, packText } from "../text/packed.ts";
import { type PackedAnalysis, packAnalysis } from "../text/packed-analysis.ts";
import { KEY_WORDS, writeUrlKey } from "../url/canonical.ts";
import type { ParsedLink, ParsedPage, ParseResult } from "./parsed.ts";

/** A page as it leaves its thread: what is large lies in buffers, handed over and not copied. */
export interface PackedPage
  extends Omit<ParsedPage, "text" | "links" | "analysis" | "linkedHosts"> {
  text: PackedText;
  analysis: PackedAnalysis;
  links: PackedLinks;
  /** Newline separated. */
  linkedHosts: string;
}

export type PackedResult = PackedPage | Exclude<ParseResult, ParsedPage>;

/** Most links of a page are known by their keys: their URLs are only read when they are not. */
export interface PackedLinks {
  readonly count: number;
  /** URLs, newline separated. */
  readonly urls: string;
  /** Four words a link. */
  readonly keys: Uint32Array<ArrayBuffer>;
  /** One byte a link: 1 is nofollow. */
  readonly nofollow: Uint8Array<ArrayBuffer>;
}

export function packResult(result: ParseResult): PackedResult {
  if (result.kind !== "page") return result;
  const { text, links, analysis, linkedHosts } = result;
  return {
    ...result,
    text: packText(text),
    links: packLinks(links),
    analysis: packAnalysis(analysis),
    linkedHosts: linkedHosts.join("\n"),
  };
}

/** Buffers that go with it. */
export function buffersOf(result: PackedResult): ArrayBuffer[] {
  if (result.kind !== "page") return [];
  const { text, links, analysis } = result;
  const views = [text, links.keys, links.nofollow, analysis];
  return views.map((view) => view.buffer as ArrayBuffer);
}

function packLinks(links: readonly ParsedLink[]): PackedLinks {
  const keys = new Uint32Array(links.length * KEY_WORDS);
  const nofollow = new Uint8Array(links.length);
  for (const [at, link] of links.entries()) {
    writeUrlKey(link.url, keys, at * KEY_WORDS);
    nofollow[at] = link.nofollow ? 1 : 0;
  }
  return { count: links.length, urls: links.map(({ url }) => url).join("\n"), keys, nofollow };
}
