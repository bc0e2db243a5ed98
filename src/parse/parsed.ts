import type { Analysis } from "../text/analysis.ts";
import type { RegionVerdict } from "../text/region/score.ts";
import type { TextSample } from "../text/shingles.ts";
import type { CanonicalUrl } from "../url/canonical.ts";

/** What the parse thread is given: bytes are transferred, not copied. */
export interface ParseRequest {
  url: string;
  body: Uint8Array;
  contentType: string;
  charset: string | null;
  robotsTag: readonly string[];
  contentLanguage: string | null;
  tdmReservation: string | null;
  /** Canonical URL said by a Link header. */
  linkCanonical: string | null;
  /** Lower-case product token, for `<meta name=TOKEN>`. */
  robotsToken: string;
  /** Milliseconds since the epoch; a publication date later than this and a day is not believed. */
  fetchedAt?: number;
}

export type ParseResult =
  | ParsedPage
  /** A feed or a sitemap (sitemap.ts reads those), or bytes that are no text. */
  | { kind: "not a page"; what: "feed" | "sitemap" | "binary" | "pdf" };

/** All strings are well-formed Unicode without NUL and bounded in length. */
export interface ParsedPage {
  kind: "page";
  title: string;
  description: string;
  /** BCP 47 primary subtag, lower case (`fr`), or null when not known. */
  lang: string | null;
  /** h1-h3, newline separated. */
  headings: string;
  /** Main text, whitespace single, paragraphs by newline. */
  text: string;
  publishedAt: string | null;
  /** Absolute canonical said by the page, canonicalised; null when none or itself. */
  canonical: string | null;
  links: readonly ParsedLink[];
  /** Names of other hosts that it links to, and not by nofollow alone. */
  linkedHosts: readonly string[];
  /** Where it leads, whatever its own parameters are (links.ts); 0: it has none. */
  linksHash: number;
  pathsHash: number;
  /** Feeds that it links, canonical. */
  feeds: readonly string[];
  /** Links in all, before the cap. */
  linkCount: number;
  /** Characters of text inside links / characters of text. */
  linkDensity: number;
  directives: PageDirectives;
  /** 128 bits of sha256 of the main text as a uuid: another one is a change. */
  textHash: string;
  /** The same; null under 200 characters, which are too often equal by chance. */
  contentHash: string | null;
  /** 64-bit simhash as a decimal string of a signed bigint, null under 50 words. */
  simhash: string | null;
  /** By which it is told whether its host still says anything new. */
  sample: TextSample;
  /** How far it is of the region; null: there is none. */
  region: RegionVerdict | null;
  analysis: Analysis;
}

export interface ParsedLink {
  url: CanonicalUrl;
  nofollow: boolean;
}

export interface PageDirectives {
  noindex: boolean;
  nofollow: boolean;
  noarchive: boolean;
  /** The page refuses to be AI input. */
  noai: boolean;
  /** ISO date after which the page must leave, null when none. */
  unavailableAfter: string | null;
}
