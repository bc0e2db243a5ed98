import type { Coding } from "./decode.ts";
import { fieldValue, fieldValues, type ResponseHead } from "./head.ts";
import type { ResponseHeaders } from "./outcome.ts";

export interface ContentType {
  /** `type/subtype` in lower case; null when missing or unreadable. */
  essence: string | null;
  charset: string | null;
}

const ETAG_LENGTH_MAX = 512;
const DATE_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 1_024;
const LINK_LENGTH_MAX = 8_192;
const ROBOTS_LINES_MAX = 64;
/** Longer waits are nonsense; what of the rest is honoured is not decided here. */
const RETRY_AFTER_MAX_MS = 366 * 86_400_000;
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["br", "br"],
  ["deflate", "deflate"],
  ["zstd", "zstd"],
]);

/** What the crawl reads of an answer. Over-long values are as good as none. */
export function readHeaders(head: ResponseHead, base: string): ResponseHeaders {
  return {
    etag: validator(fieldValue(head, "etag"), ETAG_LENGTH_MAX),
    lastModified: validator(fieldValue(head, "last-modified"), DATE_LENGTH_MAX),
    maxAgeS: maxAgeOf(fieldValues(head, "cache-control")),
    robotsTag: fieldValues(head, "x-robots-tag").slice(0, ROBOTS_LINES_MAX).map(clip),
    contentLanguage: clipped(fieldValue(head, "content-language")),
    tdmReservation: clipped(fieldValue(head, "tdm-reservation")),
    canonical: canonicalOf(fieldValues(head, "link"), base),
  };
}

/** The last readable one counts: https://fetch.spec.whatwg.org/#concept-header-extract-mime-type */
export function contentTypeOf(head: ResponseHead): ContentType {
  for (const value of fieldValues(head, "content-type").toReversed()) {
    const essence = /^([a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+)\s*(?:[;,]|$)/i.exec(value)?.[1];
    if (essence === undefined) continue;
    const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(value);
    const label = (charset?.[1] ?? charset?.[2] ?? "").trim().toLowerCase();
    const isLabel = label !== "" && label.length <= 64;
    return { essence: essence.toLowerCase(), charset: isLabel ? label : null };
  }
  return { essence: null, charset: null };
}

/** Seconds that an answer may be kept, as it says itself; null when it says nothing. */
export function maxAgeOf(values: readonly string[]): number | null {
  const directives = values.join(",").toLowerCase().split(",");
  let maxAgeS: number | null = null;
  for (const directive of directives) {
    const name = directive.trim();
    if (/^no-(?:store|cache)$/.test(name)) return 0;
    const seconds = /^max-age="?(\d{1,10})"?$/.exec(name)?.[1];
    if (seconds !== undefined) maxAgeS ??= Number(seconds);
  }
  return maxAgeS;
}

/** Codings in the order applied; null when one of them cannot be undone. */
export function codingsOf(head: ResponseHead): Coding[] | null {
  const codings: Coding[] = [];
  for (const name of fieldValues(head, "content-encoding").join(",").toLowerCase().split(",")) {
    const label = name.trim();
    if (label === "" || label === "identity") continue;
    const coding = CODINGS.get(label);
    if (coding === undefined) return null;
    codings.push(coding);
  }
  return codings;
}

/**
 * Milliseconds to wait by a Retry-After, in seconds or as an HTTP date; null for nonsense.
 *
 * @param now milliseconds since the epoch, to measure a date against
 */
export function retryAfterMs(value: string | null, now: number): number | null {
  if (value === null) return null;
  const seconds = /^\d{1,15}(?:\.\d{1,6})?$/.test(value) ? Number(value) : null;
  const waitMs = seconds === null ? httpDateMs(value) - now : Math.ceil(seconds * 1_000);
  if (Number.isNaN(waitMs)) return null;
  return Math.min(Math.max(0, waitMs), RETRY_AFTER_MAX_MS);
}

/** The three forms of RFC 9110, section 5.6.7, and no other: Date.parse reads "-5" as a date. */
export function httpDateMs(value: string): number {
  const imf = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
  const rfc850 = /^[A-Z][a-z]{5,8}, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}:\d{2}:\d{2}) GMT$/;
  const asctime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}:\d{2}:\d{2}) (\d{4})$/;
  if (imf.test(value)) return Date.parse(value);
  const short = rfc850.exec(value);
  if (short !== null) {
    const century = Number(short[3]) < 70 ? 20 : 19;
    return Date.parse(`${short[1]} ${short[2]} ${century}${short[3]} ${short[4]} GMT`);
  }
  const c = asctime.exec(value);
  return c === null ? Number.NaN : Date.parse(`${c[2]} ${c[1]} ${c[4]} ${c[3]} GMT`);
}

/** Where a redirect leads, absolute; null when it says nothing that is a URL. */
export function locationOf(head: ResponseHead, base: string): string | null {
  const value = fieldValue(head, "location");
  return value === null || value === "" ? null : resolveReference(value, base);
}

/** `<...>; rel="canonical"` among the values of Link. */
function canonicalOf(values: readonly string[], base: string): string | null {
  for (const value of values) {
    for (const link of value.slice(0, LINK_LENGTH_MAX).split("<").slice(1)) {
      const end = link.indexOf(">");
      const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s,;"]+))/i.exec(link.slice(end + 1));
      const names = (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/);
      if (end > 0 && names.includes("canonical")) return resolveReference(link.slice(0, end), base);
    }
  }
  return null;
}

/** Bytes above ASCII stand for themselves: the header has no charset, a URL none but UTF-8. */
function resolveReference(reference: string, base: string): string | null {
  const ascii = reference.replace(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return URL.parse(ascii, base)?.href ?? null;
}

/** A validator goes back as it came, so it must fit into a header line of ours. */
function validator(value: string | null, lengthMax: number): string | null {
  if (value === null || value === "" || value.length > lengthMax) return null;
  return isSendable(value) ? value : null;
}

/** Visible latin-1 and blanks. */
export const isSendable = (value: string): boolean => /^[\x20-\x7e\xa0-\xff]*$/.test(value);

const clip = (value: string) => value.slice(0, VALUE_LENGTH_MAX);
const clipped = (value: string | null) => (value === null ? null : clip(value));
