import type { CanonicalUrl } from "./canonical.ts";
import type { HostName } from "./host.ts";

/** The operator's patterns of one host; `*` stands for any characters, all else for itself. */
export interface HostPatterns {
  /** Empty: everything is included. */
  readonly include: readonly string[];
  /** Wins over `include`. */
  readonly exclude: readonly string[];
}

/** Each pattern is held against the whole of path and query: `/news/*`, `*print=1*`. */
export function isIncluded(url: CanonicalUrl, { include, exclude }: HostPatterns): boolean {
  const subject = pathAndQuery(url);
  if (exclude.some((pattern) => matchesPattern(subject, pattern))) return false;
  return include.length === 0 || include.some((pattern) => matchesPattern(subject, pattern));
}

/** What follows the authority, `/` at least. */
export function pathAndQuery(url: CanonicalUrl): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/**
 * Glob over the whole subject. No regular expression: a pattern is an operator's text, and going
 * back to the last star alone keeps the cost at subject x pattern at most.
 */
export function matchesPattern(subject: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < subject.length) {
    if (pattern[inPattern] === "*") {
      star = inPattern++;
      resumeAt = at;
    } else if (pattern[inPattern] === subject[at]) {
      inPattern++;
      at++;
    } else if (star >= 0) {
      inPattern = star + 1;
      at = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === "*") inPattern++;
  return inPattern === pattern.length;
}

/** The operator's blocks: single hosts, and domains with everything below them. */
export interface Blocks {
  readonly hosts: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
}

/** `domain` is the registrable domain of `host`. */
export function isBlocked(host: HostName, domain: string, blocks: Blocks): boolean {
  if (blocks.hosts.has(host) || blocks.domains.has(domain)) return true;
  if (blocks.domains.size === 0) return false;
  for (let dot = -1; ; ) {
    if (blocks.domains.has(host.slice(dot + 1))) return true;
    dot = host.indexOf(".", dot + 1);
    if (dot < 0) return false;
  }
}
