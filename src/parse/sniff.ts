/** What a body is, as far as its first bytes and its Content-Type tell. */
export type BodyKind = "html" | "xhtml" | "text" | "feed" | "sitemap" | "pdf" | "binary";

/** Signatures of what servers like to call text. */
const BINARY_STARTS = [
  "\x89PNG",
  "GIF8",
  "\xff\xd8\xff",
  "PK\x03\x04",
  "\x1f\x8b",
  "Rar!",
  "7z\xbc\xaf",
  "\x7fELF",
  "\xd0\xcf\x11\xe0",
  "OggS",
  "ID3",
  "wOFF",
  "wOF2",
];

const latin1 = new TextDecoder("latin1");
const utf8 = new TextDecoder();

/** `contentType` is the essence, lower case (`text/html`); empty when the server said none. */
export function kindOfBody(bytes: Uint8Array, contentType: string): BodyKind {
  const head = latin1.decode(bytes.subarray(0, 64));
  if (contentType === "application/pdf" || head.trimStart().startsWith("%PDF-")) return "pdf";
  if (BINARY_STARTS.some((start) => head.startsWith(start))) return "binary";
  if (contentType === "application/feed+json") return "feed";
  return contentType === "text/plain" ? "text" : kindOfMarkup(bytes, contentType);
}

/** Compressed or compiled bytes are odd by half; a page with stray bytes is still a page. */
const ODD_SHARE_MAX = 0.3;

/** NUL is in no text; UTF-16 without a mark is decoded before this is asked. */
export function isBinaryText(text: string): boolean {
  const head = text.slice(0, 1_024);
  let odd = 0;
  for (let at = 0; at < head.length; at++) {
    const code = head.charCodeAt(at);
    if (code === 0 || code === 0xfffd || (code < 0x20 && !isSpace(code))) odd++;
  }
  return odd > head.length * ODD_SHARE_MAX;
}

function isSpace(code: number): boolean {
  return (code >= 0x09 && code <= 0x0d) || code === 0x1b;
}

const ROOT_BYTES = 4_096;
/** The first element, behind a declaration, comments and a doctype. */
const ROOT =
  /^[\s\ufeff]*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<!(?!--)[^>]*>\s*)*<([a-z][\w:.-]*)/i;
const KIND_OF_ROOT: Record<string, BodyKind> = {
  rss: "feed",
  feed: "feed",
  "rdf:rdf": "feed",
  urlset: "sitemap",
  sitemapindex: "sitemap",
};

function kindOfMarkup(bytes: Uint8Array, contentType: string): BodyKind {
  const root = rootName(bytes);
  const byRoot = root === null ? undefined : KIND_OF_ROOT[root];
  if (byRoot !== undefined) return byRoot;
  if (contentType === "application/xhtml+xml") return "xhtml";
  if (!/[/+]xml$/.test(contentType)) return "html";
  if (/\/(?:rss|atom|rdf)\+xml$/.test(contentType)) return "feed";
  return root === "html" ? "xhtml" : "binary";
}

/** Lower-case name without a namespace prefix of our formats (`atom:feed`), null when none. */
function rootName(bytes: Uint8Array): string | null {
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe;
  const wide = bytes[0] === 0xff ? "utf-16le" : "utf-16be";
  const decoder = isWide ? new TextDecoder(wide) : utf8;
  const head = decoder.decode(bytes.subarray(0, ROOT_BYTES));
  const name = ROOT.exec(head)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  return name === "rdf:rdf" ? name : name.slice(name.indexOf(":") + 1);
}
