/** A type that is read as a page, one that must be looked into, or one that is none of ours. */
export type Declared = "page" | "unsure" | "other";

const PAGE_TYPES: ReadonlySet<string> = new Set([
  "text/html",
  "application/xhtml+xml",
  "text/plain",
  "application/pdf",
  "application/x-pdf",
  "application/rss+xml",
  "application/atom+xml",
  "application/rdf+xml",
  "application/x-rss+xml",
  "text/rss+xml",
  "text/atom+xml",
  "application/feed+json",
  "application/xml",
  "text/xml",
]);

/** What servers say when they do not know. */
const UNSURE_TYPES: ReadonlySet<string> = new Set([
  "application/octet-stream",
  "binary/octet-stream",
  "application/binary",
  "application/unknown",
  "unknown/unknown",
  "application/force-download",
  "application/download",
  "application/x-download",
]);

const PDF = "application/pdf";
const SEEN_BYTES = 1_024;
/** Control bytes that no text has; a few are broken text, more are none. */
const BINARY_SHARE = 0.05;
const CONTROLS_FORGIVEN = 4;

/** https://mimesniff.spec.whatwg.org/#binary-data-byte */
const CONTROLS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 9 || byte === 11 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) ? 1 : 0,
);

/** None that a text could begin with: the share of control bytes tells those. */
const SIGNATURES: readonly (readonly [signature: string, type: string])[] = [
  ["\x1f\x8b", "application/gzip"],
  ["PK\x03\x04", "application/zip"],
  ["PK\x05\x06", "application/zip"],
  ["\x89PNG\r\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["\x7fELF", "application/x-elf"],
  ["\xd0\xcf\x11\xe0", "application/x-ole-storage"],
  ["Rar!\x1a\x07", "application/vnd.rar"],
  ["7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"],
  ["\xfd7zXZ\x00", "application/x-xz"],
  ["\x28\xb5\x2f\xfd", "application/zstd"],
  ["\x00\x00\x01\x00", "image/x-icon"],
  ["\x00asm", "application/wasm"],
];

const PROLOGUE: readonly (readonly [opening: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<!doctype", ">"],
];
const ROOT = /^<(rss|feed|rdf:rdf|urlset|sitemapindex|html)[\s>/]/i;
const HTML_TAGS =
  "html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|" +
  "meta|link|main|article|section|!doctype html";
const HTML = new RegExp(String.raw`^<(?:${HTML_TAGS})[\s>/]`, "i");

export function judgeDeclared(essence: string | null): Declared {
  if (essence === null || UNSURE_TYPES.has(essence)) return "unsure";
  return PAGE_TYPES.has(essence) ? "page" : "other";
}

/**
 * The type of a page by its declared type and its first bytes (1 KiB is enough); `isPage` is false
 * for what is not to be read as text, whatever it was called.
 */
export function sniffPage(
  declared: string | null,
  charset: string | null,
  first: Uint8Array,
): { contentType: string; isPage: boolean } {
  const start = Buffer.from(first.buffer, first.byteOffset, Math.min(first.length, SEEN_BYTES));
  const text = start.toString("latin1");
  if (/^(?:\xef\xbb\xbf)?\s{0,64}%PDF-/.test(text)) return page(PDF);
  const signature = SIGNATURES.find(([magic]) => text.startsWith(magic));
  if (signature !== undefined) return { contentType: signature[1], isPage: false };
  if (isBinary(start, charset)) return { contentType: "application/octet-stream", isPage: false };
  const markup = markupOf(text);
  if (declared === null) return page(markup?.contentType ?? "text/plain");
  if (UNSURE_TYPES.has(declared)) {
    return markup === null ? { contentType: declared, isPage: false } : page(markup.contentType);
  }
  if (declared === PDF || declared === "application/x-pdf") return page(markup?.contentType ?? PDF);
  return page(markup?.isFeed ? markup.contentType : declared);
}

interface Markup {
  contentType: string;
  /** A feed or a sitemap: exact enough to correct what the server says. */
  isFeed: boolean;
}

function markupOf(text: string): Markup | null {
  const { at, isXml, isHtml } = prologueOf(text);
  const rest = text.slice(at, at + 64);
  const root = ROOT.exec(rest)?.[1]?.toLowerCase();
  if (root === "feed") return { contentType: "application/atom+xml", isFeed: true };
  if (root === "urlset" || root === "sitemapindex") {
    return { contentType: "application/xml", isFeed: true };
  }
  if (root !== undefined && root !== "html") {
    return { contentType: "application/rss+xml", isFeed: true };
  }
  if (isXml && !isHtml) {
    return { contentType: root ? "application/xhtml+xml" : "application/xml", isFeed: false };
  }
  return isHtml || HTML.test(rest) ? { contentType: "text/html", isFeed: false } : null;
}

/** What may stand before the root element, and where it ends; each step searches ahead but once. */
function prologueOf(text: string): { at: number; isXml: boolean; isHtml: boolean } {
  let at = text.startsWith("\xef\xbb\xbf") ? 3 : 0;
  let isXml = false;
  let isHtml = false;
  for (;;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    const start = text.slice(at, at + 16).toLowerCase();
    const end = PROLOGUE.find(([opening]) => start.startsWith(opening))?.[1];
    if (end === undefined) return { at, isXml, isHtml };
    isXml ||= start.startsWith("<?xml");
    isHtml ||= start.startsWith("<!doctype html") || (start.startsWith("<!--") && !isXml);
    const close = text.indexOf(end, at);
    if (close < 0) return { at, isXml, isHtml };
    at = close + end.length;
  }
}

/** UTF-16 is full of NULs, and yet text. */
function isBinary(bytes: Buffer, charset: string | null): boolean {
  const hasBom =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (hasBom || /^(?:utf-?16|utf-?32|ucs-?[24])/.test(charset ?? "")) return false;
  let controls = 0;
  for (let i = 0; i < bytes.length; i += 1) if (CONTROLS[bytes[i] ?? 0] === 1) controls += 1;
  return controls > Math.max(CONTROLS_FORGIVEN, bytes.length * BINARY_SHARE);
}

const page = (contentType: string) => ({ contentType, isPage: true });
