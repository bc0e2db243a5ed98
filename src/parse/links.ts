import { hashText, mixed } from "../text/hash.ts";
import { type CanonicalUrl, canonicalUrl } from "../url/canonical.ts";
import { hostName } from "../url/host.ts";
import { parametersOf, queryOf, withoutParameters } from "../url/pattern.ts";
import { Resolver } from "../url/resolver.ts";
import type { RawLink } from "./facts.ts";
import type { ParsedLink } from "./parsed.ts";

/** Links kept of one page; more are a site map or a trap, and the frontier sees enough of it. */
export const LINKS_MAX = 5_000;

/** The address that a page's relative links start from: the first usable `<base href>`. */
export function baseOf(url: string, base: string | null): string {
  if (base === null) return url;
  const resolved = URL.parse(base, url);
  return resolved !== null && /^https?:$/.test(resolved.protocol) ? resolved.href : url;
}

/**
 * Links of a page in its order, canonical, distinct, without those to itself (`self`). A page
 * linked twice is nofollow only when every link to it is.
 */
export function distinctLinks(raw: readonly RawLink[], base: string, self: string): ParsedLink[] {
  const known = new Map<string, ParsedLink | null>();
  const byUrl = new Map<string, ParsedLink>();
  const links: ParsedLink[] = [];
  const resolver = new Resolver(base);
  for (let at = 0; at < raw.length; at++) {
    const { href, nofollow } = raw[at]!;
    let link = known.get(href);
    if (link === undefined) {
      const url = links.length < LINKS_MAX ? resolver.canonical(href) : null;
      link = url === null || url === self ? null : (byUrl.get(url) ?? null);
      if (link === null && url !== null && url !== self) {
        link = { url, nofollow: true };
        byUrl.set(url, link);
        links.push(link);
      }
      known.set(href, link);
    }
    if (link !== null && !nofollow) link.nofollow = false;
  }
  return links;
}

/** Other hosts told of one page, at most: more are a directory or a farm. */
const LINKED_HOSTS_MAX = 200;

/** Names of other hosts that a page links to, and not by nofollow alone; each once. */
export function linkedHosts(links: readonly ParsedLink[], self: CanonicalUrl): string[] {
  const own = hostName(self);
  const hosts = new Set<string>();
  // Links to one host mostly stand side by side, and most are to the page's own.
  let origin = originOf(self);
  for (const { url, nofollow } of links) {
    if (nofollow || url.startsWith(origin)) continue;
    origin = originOf(url);
    const host = hostName(url);
    if (host !== own) hosts.add(host);
    if (hosts.size >= LINKED_HOSTS_MAX) break;
  }
  return [...hosts];
}

/**
 * Where a page leads, whatever the values of the parameters that it has itself: two pages of one
 * text and other links are not the same. 0 for a page without a query, which is not asked.
 */
export function hashesOfLinks(links: readonly ParsedLink[], self: CanonicalUrl): LinkHashes {
  const names = new Set(parametersOf(queryOf(self)).map(({ name }) => name));
  if (names.size === 0) return { linksHash: 0, pathsHash: 0 };
  return {
    linksHash: hashOfAll(links.map(({ url }) => withoutParameters(url, names))),
    pathsHash: hashOfAll(links.map(({ url }) => url.replace(/\?.*/, ""))),
  };
}

export interface LinkHashes {
  /** Of all that it links to, less the parameters that it has itself. */
  readonly linksHash: number;
  /** Of the same without any query. */
  readonly pathsHash: number;
}

/** In whatever order, and however often. */
function hashOfAll(texts: readonly string[]): number {
  let sum = 1;
  for (const text of new Set(texts)) sum = (sum + mixed(hashText(text))) | 0;
  return sum || 1;
}

/** Up to the first slash of the path, so that no longer name begins with it. */
const originOf = (url: CanonicalUrl): string => url.slice(0, url.indexOf("/", 8) + 1);

/**
 * The canonical URL that a page names, in itself or by a Link header; null when it names none,
 * itself, or more than one.
 */
export function canonicalOf(said: readonly string[], base: string, self: string): string | null {
  const distinct = new Set<string>();
  for (const href of said) {
    const result = canonicalUrl(href, base);
    if (result.kind === "canonical") distinct.add(result.url);
  }
  const [only] = distinct;
  return distinct.size === 1 && only !== undefined && only !== self ? only : null;
}

/** Feeds taken of one page: its posts, its comments, and some of its topics. */
const FEEDS_MAX = 8;

/** Canonical and distinct, in its order. */
export function feedsOf(said: readonly string[], base: string): string[] {
  const feeds = new Set<string>();
  for (const href of said) {
    const result = canonicalUrl(href, base);
    if (result.kind === "canonical" && feeds.size < FEEDS_MAX) feeds.add(result.url);
  }
  return [...feeds];
}
