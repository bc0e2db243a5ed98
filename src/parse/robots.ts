import robotsParser from "robots-parser";
import { cleanText } from "./clean.ts";
import { parseGroups, type RobotsRule } from "./robots-groups.ts";
import { comparablePath } from "./robots-path.ts";

/** RFC 9309 section 2.5: at least this much is read. Ask for one byte more, to know of a cut. */
export const ROBOTS_BYTES_MAX = 500 * 1024;

/** What robots.txt of one authority says to us. */
export interface RobotsRules {
  /** `url` must be of this authority: any other is a mistake of ours, and throws. */
  isAllowed(url: string): boolean;
  /** Crawl-delay, at most a day; null: none. */
  readonly crawlDelayMs: number | null;
  /** Absolute http(s) URLs of the Sitemap lines, distinct. */
  readonly sitemaps: readonly string[];
  readonly signals: MachineUse;
}

/** What the site says of machine use (Content-Signal, Content-Usage); null: nothing. */
export interface MachineUse {
  search: boolean | null;
  aiInput: boolean | null;
  aiTrain: boolean | null;
}

/**
 * Bytes of a robots.txt as text to be stored and parsed: cut at 500 KiB after the last whole line,
 * without byte order mark and NUL. A line in an odd charset keeps its bytes as percent-escapes, so
 * that its rule still means the same addresses.
 */
export function decodeRobots(bytes: Uint8Array): string {
  const isCut = bytes.length > ROBOTS_BYTES_MAX;
  const head = bytes.subarray(0, ROBOTS_BYTES_MAX);
  const whole = isCut
    ? head.subarray(0, Math.max(head.lastIndexOf(10), head.lastIndexOf(13)) + 1)
    : head;
  return cleanText(decode(whole), ROBOTS_BYTES_MAX);
}

/**
 * The rules for `token` (our product token, lower case), by RFC 9309. `authority` is
 * `scheme://name:port`. Never throws, whatever the text is; what is no rule is passed over.
 */
export function parseRobots(text: string, authority: string, token: string): RobotsRules {
  const groups = parseGroups(text.slice(0, ROBOTS_BYTES_MAX), token);
  const ask = matcher(groups.rules);
  return {
    crawlDelayMs: groups.crawlDelayMs,
    signals: groups.signals,
    sitemaps: absoluteSitemaps(groups.sitemaps, authority),
    isAllowed(url) {
      const parsed = new URL(url);
      if (authorityOf(parsed) !== authority) throw new Error(`${url} is not of ${authority}`);
      if (parsed.pathname === "/robots.txt") return true;
      return ask(comparablePath(parsed.pathname + parsed.search));
    },
  };
}

/** Any authority does for robots-parser: which one is asked is our own check. */
const PLACE = "http://robots.invalid";

/**
 * robots-parser matches a path against rules, and nothing else: groups, delays and sitemaps it
 * reads by its own lights, and 40,000 rules take it seconds. It is given one group, in our normal
 * form, of those rules alone whose letters before the first wildcard start the path.
 */
function matcher(rules: readonly RobotsRule[]): (path: string) => boolean {
  const byStart = new Map<string, Set<string>>();
  for (const { allow, pattern } of rules) {
    const start = /^[^*$]*/.exec(pattern)?.[0] ?? "";
    const lines = byStart.get(start) ?? new Set();
    byStart.set(start, lines.add(`${allow ? "Allow" : "Disallow"}: ${pattern}`));
  }
  const lengths = [...new Set([...byStart.keys()].map((start) => start.length))];
  return (path) => {
    const near = lengths.flatMap((length) => [...(byStart.get(path.slice(0, length)) ?? [])]);
    if (near.length === 0) return true;
    const robots = robotsParser(`${PLACE}/robots.txt`, ["User-agent: *", ...near].join("\n"));
    const isAllowed = robots.isAllowed(PLACE + path, "*");
    if (isAllowed === undefined) throw new Error(`robots-parser does not take ${path} for a path`);
    return isAllowed;
  };
}

function authorityOf(url: URL): string {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return `${url.protocol}//${url.hostname}:${port}`;
}

const SITEMAPS_MAX = 1_000;

function absoluteSitemaps(written: readonly string[], authority: string): string[] {
  const sitemaps = new Set<string>();
  for (const line of written) {
    const url = URL.parse(line, authority);
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    if (sitemaps.size < SITEMAPS_MAX) sitemaps.add(url.href);
  }
  return [...sitemaps];
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return [...linesOf(bytes)].map(decodeLine).join("\n");
  }
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const latin1 = new TextDecoder("x-user-defined");

function decodeLine(line: Uint8Array): string {
  try {
    return utf8.decode(line);
  } catch {
    // x-user-defined keeps every byte: 0x80 to 0xff are U+F780 to U+F7FF.
    return latin1
      .decode(line)
      .replace(/[\uf780-\uf7ff]/g, (char) => `%${(char.charCodeAt(0) & 0xff).toString(16)}`);
  }
}
