/**
 * Paths and patterns in one normal form (RFC 9309 section 2.2.2), so that comparing letters
 * compares addresses: unreserved characters bare, all else but delimiters as upper-case escapes.
 */

/** What stands bare in both; of the delimiters those that no parser rewrites. */
const ODD = /%[0-9a-fA-F]{2}|[^A-Za-z0-9\-._~!&()+,/:;=?@]/gu;
const PLAIN = /^[A-Za-z0-9\-._~!&()+,/:;=?@]*$/;

/** Path and query of a URL; its own `*` and `$` are no wildcards. */
export function comparablePath(path: string): string {
  return PLAIN.test(path) ? path : path.toWellFormed().replace(ODD, comparable);
}

/** The value of an Allow or Disallow line; `*` and a last `$` keep their meaning. */
export function comparablePattern(pattern: string): string {
  if (PLAIN.test(pattern)) return pattern;
  const isAnchored = pattern.endsWith("$");
  const body = isAnchored ? pattern.slice(0, -1) : pattern;
  const parts = body.split(/\*+/).map(comparablePath);
  return parts.join("*") + (isAnchored ? "$" : "");
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;

function comparable(written: string): string {
  if (written.length === 3 && written.startsWith("%")) {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return UNRESERVED.test(character) ? character : written.toUpperCase();
  }
  // What encodeURIComponent leaves bare although we do not.
  if (written === "*" || written === "'") return written === "*" ? "%2A" : "%27";
  return encodeURIComponent(written);
}
