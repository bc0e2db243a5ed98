import type { CanonicalUrl } from "./canonical.ts";
import { pathAndQuery } from "./scope.ts";

/** A run of this many equal groups is no site's structure but `<a href="next/">` on each page. */
const RUN_MAX = 3;
/** `/archive/11/11/11/` may be a date, so groups of numbers alone get one more. */
const NUMERIC_RUN_MAX = 4;
/** The same word this often anywhere in the path: `/a/x/a/y/a/z/a/w/a/`. */
const OCCURRENCES_MAX = 5;

/**
 * Does the path repeat itself as only a relative link that never arrives makes it? Groups of one or
 * more segments that follow each other, or one segment again and again.
 */
export function repeatedSegments(url: CanonicalUrl): boolean {
  const subject = pathAndQuery(url);
  const query = subject.indexOf("?");
  const path = query < 0 ? subject : subject.slice(0, query);
  const segments = path.split("/").filter((segment) => segment !== "");
  if (segments.length < RUN_MAX) return false;
  return hasRun(segments) || hasCrowd(segments);
}

function hasRun(segments: readonly string[]): boolean {
  const longest = Math.floor(segments.length / RUN_MAX);
  for (let size = 1; size <= longest; size++) {
    if (hasRunOf(segments, size)) return true;
  }
  return false;
}

/** Counts segments that equal the one a group before: n groups in a row are (n - 1) x size. */
function hasRunOf(segments: readonly string[], size: number): boolean {
  let equal = 0;
  let onlyNumbers = true;
  for (let i = size; i < segments.length; i++) {
    if (segments[i] !== segments[i - size]) {
      equal = 0;
      onlyNumbers = true;
      continue;
    }
    equal++;
    onlyNumbers &&= isNumber(segments[i]!);
    if (equal >= ((onlyNumbers ? NUMERIC_RUN_MAX : RUN_MAX) - 1) * size) return true;
  }
  return false;
}

function hasCrowd(segments: readonly string[]): boolean {
  if (segments.length < OCCURRENCES_MAX) return false;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count >= OCCURRENCES_MAX && !isNumber(segment)) return true;
    counts.set(segment, count);
  }
  return false;
}

function isNumber(segment: string): boolean {
  return /^\d+$/.test(segment);
}
