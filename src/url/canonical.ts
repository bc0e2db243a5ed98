import { isSessionParameter, isTrackingParameter } from "./tracking.ts";

/** An absolute http(s) URL in the one normal form; ASCII, at most `URL_LENGTH_MAX` characters. */
export type CanonicalUrl = string & { readonly brand: "CanonicalUrl" };

export type CanonicalResult =
  | { kind: "canonical"; url: CanonicalUrl }
  | { kind: "refused"; reason: UrlRefusal };

export type UrlRefusal = "invalid" | "scheme" | "credentials" | "too long";

export const URL_LENGTH_MAX = 2_000;

/** Longer input is not looked at: what is cut off it (fragment, session ids) is never that long. */
const INPUT_LENGTH_MAX = 8_192;

/**
 * The canonical form of a URL as written in a page, a list or a form: WHATWG parse, then fragment,
 * tracking parameters, session ids, empty query and the final dot of the host off, and one way of
 * percent-encoding. Pure, idempotent, never throws; the host reached, the order of parameters and
 * doubled slashes stay as they are. `base` resolves relative input; one that is no URL is ignored.
 */
export function canonicalUrl(input: string, base?: string): CanonicalResult {
  if (input.length > INPUT_LENGTH_MAX)
    return refused(hasForeignScheme(input) ? "scheme" : "too long");
  const parsed = parse(input, base);
  if (parsed === null) return refused("invalid");
  const { protocol } = parsed;
  if (protocol !== "http:" && protocol !== "https:") return refused("scheme");
  if (parsed.username !== "" || parsed.password !== "") return refused("credentials");
  const host = canonicalHost(parsed.hostname);
  if (host === null) return refused("invalid");
  const port = parsed.port === "" ? "" : `:${parsed.port}`;
  const url = `${protocol}//${host}${port}${canonicalPath(parsed)}${canonicalQuery(parsed.search)}`;
  if (url.length > URL_LENGTH_MAX) return refused("too long");
  return { kind: "canonical", url: url as CanonicalUrl };
}

/** First 128 bits of sha256 of the URL, as the text of a uuid: what admission deduplicates by. */
export function urlKey(url: CanonicalUrl): string {
  return uuidOfDigest(Bun.CryptoHasher.hash("sha256", url, "hex"));
}

/** The first 128 bits of a digest in hex, as the text of a uuid. */
export function uuidOfDigest(hex: string): string {
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}` +
    `-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  );
}

export const KEY_WORDS = 4;

/** The same bits as four words from `at` on: for many keys in one array. */
export function writeUrlKey(url: CanonicalUrl, into: Uint32Array, at: number): void {
  const bytes = Bun.CryptoHasher.hash("sha256", url);
  for (let word = 0; word < KEY_WORDS; word++) into[at + word] = bytes.readUInt32BE(word * 4);
}

function refused(reason: UrlRefusal): CanonicalResult {
  return { kind: "refused", reason };
}

/** `data:` URLs of megabytes are common in pages: told apart without parsing them. */
function hasForeignScheme(input: string): boolean {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(input.slice(0, 64))?.[1]?.toLowerCase();
  return scheme !== undefined && scheme !== "http" && scheme !== "https";
}

function parse(input: string, base: string | undefined): URL | null {
  if (base === undefined) return URL.parse(input);
  return URL.parse(input, base) ?? URL.parse(input);
}

/** Names that DNS can carry; the URL standard lets more pass, and empty labels. */
const DNS_NAME = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/;
const DNS_NAME_LENGTH_MAX = 253;

function canonicalHost(hostname: string): string | null {
  if (hostname.startsWith("[")) return hostname;
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return name.length <= DNS_NAME_LENGTH_MAX && DNS_NAME.test(name) ? name : null;
}

/** Servlet containers write the session into the path: `/page;jsessionid=0A1B`. */
const PATH_SESSION = /;(?:jsessionid|phpsessid)=[^;/]*/gi;
const PATH_ODD = /%[0-9a-f]{2}|[^a-z0-9\-._~!$&'()*+,;=:@/]/gi;
const QUERY_ODD = /%[0-9a-f]{2}|[^a-z0-9\-._~!$&'()*+,;=:@/?]/gi;

/** Nothing to mend, as nearly always: an escape is of no unreserved character and in upper case. */
const ESCAPE = "%(?:[0189A-F][0-9A-F]|2[0-9ABCF]|3[A-F]|40|5[B-E]|60|7[BCDF])";
const CLEAN_PATH = clean("[A-Za-z0-9\\-._~!$&'()*+,=:@/]*");
const CLEAN_QUERY = clean("[A-Za-z0-9\\-._~!$&'()*+,;=:@/?]*");

function clean(run: string): RegExp {
  return new RegExp(`^${run}(?:${ESCAPE}${run})*$`);
}

function canonicalPath(parsed: URL): string {
  const written = parsed.pathname;
  if (CLEAN_PATH.test(written)) return written;
  const path = written.replace(PATH_ODD, canonicalCharacter);
  const bare = path.replace(PATH_SESSION, "");
  if (bare === path) return path;
  // `/..;jsessionid=1/` has just become a dot segment: only the parser resolves those.
  parsed.pathname = bare;
  return parsed.pathname;
}

function canonicalQuery(search: string): string {
  if (search === "") return "";
  const written = search.slice(1);
  const query = CLEAN_QUERY.test(written)
    ? written
    : written.replace(QUERY_ODD, canonicalCharacter);
  const kept = query.split("&").filter(isMeant).join("&");
  return kept === "" ? "" : `?${kept}`;
}

function isMeant(parameter: string): boolean {
  const end = parameter.indexOf("=");
  const written = (end < 0 ? parameter : parameter.slice(0, end)).toLowerCase();
  // A page that escaped its link twice: `?a=1&amp;utm_source=x`.
  const name = written.startsWith("amp;") ? written.slice(4) : written;
  if (isTrackingParameter(name)) return false;
  return !isSessionParameter(name, end < 0 ? "" : parameter.slice(end + 1));
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** One escape or one character that may not stand bare; the parser left only ASCII. */
function canonicalCharacter(written: string): string {
  if (written.length === 1) return escapeOf(written);
  const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
  return UNRESERVED.test(character) ? character : written.toUpperCase();
}

function escapeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
