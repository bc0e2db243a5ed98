import { canonicalUrl } from "../url/canonical.ts";
import { charsetOfLabel, saidCharset } from "./charset.ts";
import { parseFeed } from "./feed.ts";
import { parseLastmod, parsePriority } from "./lastmod.ts";
import { isSitemapRoot, SCAN_START, type ScanState, SitemapScan } from "./sitemap-scan.ts";

/** A piece of a sitemap, a list of URLs or a whole feed; bytes are transferred, not copied. */
export interface SitemapRequest {
  kind: "sitemap" | "feed";
  /** Where it stands: what relative addresses refer to. */
  url: string;
  bytes: Uint8Array;
  isLast: boolean;
  /** What the piece before it left; null: this is the first one. A feed comes in one piece. */
  state: SitemapState | null;
  charset: string | null;
  /** Epoch ms: no page was modified later than this. */
  now: number;
}

/** What goes from piece to piece; plain data, so that each may be read in another thread. */
export interface SitemapState {
  /** Null: nothing says, and so far all of it was UTF-8. */
  charset: string | null;
  /** Enough has come to tell the charset: until then nothing is decoded. */
  isDecided: boolean;
  /** Bytes of a character that is not whole yet. */
  carry: Uint8Array;
  /** A text list has lines; `null`: not known yet. */
  form: "xml" | "lines" | null;
  scan: ScanState;
}

export interface SitemapPiece {
  kind: "sitemap";
  /** Null: not to be told yet; `other`: neither a sitemap nor a feed nor a list of URLs. */
  what: "urls" | "index" | "feed" | "other" | null;
  entries: SitemapEntry[];
  state: SitemapState | null;
  /** The last piece, and the document has no end. */
  isCutShort: boolean;
}

export interface SitemapEntry {
  /** Absolute http(s), canonical. */
  url: string;
  /** Epoch ms; null: not said, or not to be believed. */
  lastmod: number | null;
  /** 0 to 1. */
  priority: number | null;
}

/** The next piece of a sitemap, or a feed. Linear in its size; throws for nothing that is read. */
export function readSitemap(request: SitemapRequest): SitemapPiece {
  if (request.kind === "feed") return readFeed(request);
  const { bytes, isLast, url } = request;
  const before = request.state ?? STATE_START;
  const joined = concat(before.carry, bytes);
  if (!before.isDecided && !isLast && joined.length < HEAD_BYTES) {
    const state = { ...before, carry: joined.slice() };
    return { kind: "sitemap", what: null, entries: [], state, isCutShort: false };
  }
  const said = before.isDecided ? before.charset : xmlCharset(joined, request.charset);
  const end = isLast ? joined.length : wholeEnd(joined, said ?? "utf-8");
  const { text, charset } = decoded(joined.subarray(0, end), said);
  const { scan } = before;
  const form = before.form ?? formOf(text);
  const read = form === "xml" ? readXml : readLines;
  const { what, found, next } = form === null ? NOTHING : read(text, scan, isLast);
  return {
    kind: "sitemap",
    what: what ?? (isLast ? "other" : null),
    entries: found.flatMap((each) => entriesOf(each, url, request.now)),
    state: { charset, isDecided: true, carry: joined.slice(end), form, scan: next },
    isCutShort: isLast && form === "xml" && isSitemapRoot(next.root) && !next.isOver,
  };
}

interface Found {
  loc: string;
  lastmod: string | null;
  priority: string | null;
  alternates: readonly string[];
}

interface Reading {
  what: "urls" | "index" | "other" | null;
  found: readonly Found[];
  next: ScanState;
}

/** Where a document says its charset: no piece before is read, however small it is. */
const HEAD_BYTES = 512;

const STATE_START: SitemapState = {
  charset: null,
  isDecided: false,
  carry: new Uint8Array(),
  form: null,
  scan: SCAN_START,
};

const NOTHING: Reading = { what: null, found: [], next: SCAN_START };

/** Null: nothing but blanks so far. */
function formOf(text: string): "xml" | "lines" | null {
  const first = /[^\s\ufeff]/.exec(text)?.[0];
  if (first === undefined) return null;
  return first === "<" ? "xml" : "lines";
}

function readXml(text: string, state: ScanState, isLast: boolean): Reading {
  const scan = new SitemapScan(state);
  const next = scan.push(text, isLast);
  const { root } = next;
  if (root === null) return { what: null, found: [], next };
  const isEmptyShell = isLast && next.definesEntities && next.count === 0;
  if (!isSitemapRoot(root) || isEmptyShell) return { what: "other", found: [], next };
  return { what: root === "urlset" ? "urls" : "index", found: scan.entries, next };
}

const LINE_MAX = 8_192;

/** One URL a line; what is none is passed over, and a text without any is no list. */
function readLines(text: string, state: ScanState, isLast: boolean): Reading {
  const lines = (state.rest + text).split(/\r\n|\n|\r/);
  const rest = isLast ? "" : lines.pop()!.slice(0, LINE_MAX);
  const found = lines
    .map((line) => line.trim())
    .filter((line) => line.length <= LINE_MAX && /^https?:\/\/\S/i.test(line))
    .map((loc) => ({ loc, lastmod: null, priority: null, alternates: [] }));
  const root = found.length > 0 ? "lines" : state.root;
  return { what: root === null ? null : "urls", found, next: { ...state, rest, root } };
}

function entriesOf(found: Found, base: string, now: number): SitemapEntry[] {
  const url = resolved(found.loc, base);
  if (url === null) return [];
  const lastmod = found.lastmod === null ? null : parseLastmod(found.lastmod, now);
  const priority = found.priority === null ? null : parsePriority(found.priority);
  const entries = [{ url, lastmod, priority }];
  for (const alternate of found.alternates) {
    const other = resolved(alternate, base);
    if (other !== null && other !== url)
      entries.push({ url: other, lastmod: null, priority: null });
  }
  return entries;
}

function resolved(written: string, base: string): string | null {
  const trimmed = written.trim();
  if (trimmed === "" || trimmed.length > LINE_MAX) return null;
  const result = canonicalUrl(trimmed, base);
  return result.kind === "canonical" ? result.url : null;
}

function readFeed({ bytes, charset, url }: SitemapRequest): SitemapPiece {
  const { text } = decoded(bytes, xmlCharset(bytes, charset));
  const urls = parseFeed(text, url)?.flatMap((entry) => entry.url ?? []);
  const found = urls?.flatMap((each) => resolved(each, url) ?? []);
  return {
    kind: "sitemap",
    what: found === undefined ? "other" : "feed",
    entries: (found ?? []).map((each) => ({ url: each, lastmod: null, priority: null })),
    state: null,
    isCutShort: false,
  };
}

const latin1 = new TextDecoder("latin1");
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** By byte order mark, header, declaration; null: nothing says. */
export function xmlCharset(bytes: Uint8Array, header: string | null): string | null {
  const said = saidCharset(bytes.subarray(0, HEAD_BYTES), header);
  if (said !== null && said.by !== "meta") return said.charset;
  const head = latin1.decode(bytes.subarray(0, HEAD_BYTES));
  if (head.startsWith("<\0")) return "utf-16le";
  if (head.startsWith("\0<")) return "utf-16be";
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
  const charset = declared === undefined ? null : charsetOfLabel(declared);
  // What can be read as ASCII is in none of the wide ones, whatever it says.
  return charset === null || charset.startsWith("utf-16") ? null : charset;
}

/** What says nothing is UTF-8, or else what old tools write. */
function decoded(bytes: Uint8Array, charset: string | null) {
  if (charset !== null) return { text: new TextDecoder(charset).decode(bytes), charset };
  try {
    return { text: strictUtf8.decode(bytes), charset };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), charset: "windows-1252" };
  }
}

/** Where the last whole character ends. */
function wholeEnd(bytes: Uint8Array, charset: string): number {
  if (charset.startsWith("utf-16")) return Math.max(0, bytes.length - (bytes.length % 2) - 2);
  if (charset === "utf-8") {
    for (let back = 1; back <= Math.min(4, bytes.length); back++) {
      const byte = bytes[bytes.length - back]!;
      if (byte < 0x80) return bytes.length - back + 1;
      if (byte >= 0xc0) return bytes.length - back;
    }
    return bytes.length;
  }
  if (SINGLE.test(charset)) return bytes.length;
  // In the others no character has a line feed or `>` behind its first byte.
  const end = Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x3e)) + 1;
  return end > bytes.length - CARRY_MAX ? end : bytes.length;
}

const SINGLE = /^(?:windows-|iso-8859|koi8|macintosh|ibm866|x-mac|x-user)/;
const CARRY_MAX = 65_536;

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
