import type { CanonicalUrl } from "./canonical.ts";

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
