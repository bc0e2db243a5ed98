import { analyse } from "chardet";

export interface DecodedBody {
  text: string;
  /** WHATWG name of the encoding, lower case. */
  charset: string;
  by: "bom" | "header" | "meta" | "utf-8" | "guess";
}

/**
 * Bytes of a page as text. What says the encoding, first one wins: byte order mark, charset of
 * Content-Type (`header`), `<meta>`, being valid UTF-8, a detector; windows-1252 when all are
 * silent. Never fails: what cannot be decoded becomes U+FFFD. The mark itself is left out.
 */
export function decodeBody(bytes: Uint8Array, header: string | null): DecodedBody {
  const said = saidCharset(bytes, header);
  if (said !== null) return { text: decode(bytes, said.charset), ...said };
  const valid = decodeUtf8(bytes);
  if (valid !== null) return { text: valid, charset: "utf-8", by: "utf-8" };
  const charset = guessCharset(bytes);
  return { text: decode(bytes, charset), charset, by: "guess" };
}

/** What the bytes and the header say, by the order of the HTML standard; null: nothing usable. */
export function saidCharset(
  bytes: Uint8Array,
  header: string | null,
): { charset: string; by: "bom" | "header" | "meta" } | null {
  const bom = bomCharset(bytes);
  if (bom !== null) return { charset: bom, by: "bom" };
  const named = header === null ? null : charsetOfLabel(header);
  if (named !== null) return { charset: named, by: "header" };
  const meta = metaCharset(bytes);
  return meta === null ? null : { charset: meta, by: "meta" };
}

/** Canonical name of a WHATWG label; null for UTF-7, UTF-32 and whatever else it does not know. */
export function charsetOfLabel(label: string): string | null {
  const trimmed = label.trim().replace(/^["']|["']$/g, "");
  if (trimmed === "utf-8" || trimmed === "UTF-8") return "utf-8";
  if (trimmed === "" || trimmed.length > 40) return null;
  try {
    return new TextDecoder(trimmed).encoding;
  } catch {
    return null;
  }
}

/** Making one costs more than what it decodes of a head. */
const utf8 = new TextDecoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
const latin1 = new TextDecoder("latin1");

function decode(bytes: Uint8Array, charset: string): string {
  return charset === "utf-8" ? utf8.decode(bytes) : new TextDecoder(charset).decode(bytes);
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

function bomCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return null;
}

/** The standard looks at 1,024 bytes; pages that put scripts first need more. */
const PRESCAN_BYTES = 4_096;

function metaCharset(bytes: Uint8Array): string | null {
  const head = latin1.decode(bytes.subarray(0, PRESCAN_BYTES));
  const label = prescan(head);
  return label === null ? null : charsetOfMeta(label);
}

/** A page that could say so in ASCII is not in UTF-16. */
function charsetOfMeta(label: string): string | null {
  const charset = charsetOfLabel(label);
  if (charset === "utf-16le" || charset === "utf-16be") return "utf-8";
  return charset === "x-user-defined" ? "windows-1252" : charset;
}

/** Comments, metas, and other tags with their attributes, so that no meta inside them counts. */
const REST_OF_TAG = `(?:[^>"']|"[^"]*"|'[^']*')*`;
const PIECE = new RegExp(
  `<!--|<meta(?=[\\s/])(${REST_OF_TAG})>?|</?[a-z]${REST_OF_TAG}>?|<[!/?][^>]*>?`,
  "gi",
);

function prescan(head: string): string | null {
  PIECE.lastIndex = 0;
  for (let piece = PIECE.exec(head); piece !== null; piece = PIECE.exec(head)) {
    if (piece[0] === "<!--") {
      // `<!-->` is a whole comment: its end may overlap its start.
      const end = head.indexOf("-->", piece.index + 2);
      if (end < 0) return null;
      PIECE.lastIndex = end + 3;
    } else if (piece[1] !== undefined) {
      const label = labelOfMeta(piece[1]);
      if (label !== null && charsetOfMeta(label) !== null) return label;
    }
  }
  return null;
}

const ATTRIBUTE = /([^\s/=>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/g;

function labelOfMeta(attributes: string): string | null {
  const found = new Map<string, string>();
  for (const [, name, double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const key = (name as string).toLowerCase();
    if (!found.has(key)) found.set(key, double ?? single ?? bare ?? "");
  }
  const direct = found.get("charset");
  if (direct !== undefined) return direct;
  if (found.get("http-equiv")?.toLowerCase() !== "content-type") return null;
  return labelOfContentType(found.get("content") ?? "");
}

/** `text/html; charset=x`, by the rules for a meta: quotes allowed, ended by space or semicolon. */
function labelOfContentType(content: string): string | null {
  const found = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(content);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

const GUESS_BYTES = 64 * 1024;
/** Fewer foreign letters than this are a copyright sign or a dash: no ground for a guess. */
const FOREIGN_BYTES_MIN = 4;

/** Read as the Windows page that holds the same letters and more, as browsers do. */
const WIDER: Record<string, string> = {
  "ISO-8859-1": "windows-1252",
  "ISO-8859-6": "windows-1256",
  "ISO-8859-7": "windows-1253",
  "ISO-8859-8": "windows-1255",
  "ISO-8859-9": "windows-1254",
};

function guessCharset(bytes: Uint8Array): string {
  const wide = utf16WithoutMark(bytes);
  if (wide !== null) return wide;
  const sample = textBytes(bytes.subarray(0, GUESS_BYTES));
  if (foreignCount(sample) < FOREIGN_BYTES_MIN) return "windows-1252";
  for (const { name } of analyse(sample)) {
    if (name === "UTF-8" || name === "ASCII" || name.startsWith("UTF-")) continue;
    const charset = charsetOfLabel(WIDER[name] ?? name);
    if (charset !== null) return charset;
  }
  return "windows-1252";
}

/** Every second byte of Western markup in UTF-16 is zero. */
function utf16WithoutMark(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, 1_024) & ~1;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  if (even + odd < length / 5) return null;
  return odd > even * 4 ? "utf-16le" : even > odd * 4 ? "utf-16be" : null;
}

/** Markup is ASCII in every encoding and reads as English: the detector must not see it. */
function textBytes(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder("x-user-defined")
    .decode(bytes)
    .split(/<(?:script|style)\b/i)
    .map((part, at) => (at === 0 ? part : part.slice(part.indexOf("</") >>> 0)))
    .join(" ")
    .replace(/<[^<>]*>/g, " ");
  return Uint8Array.from(text, (char) => char.charCodeAt(0) & 0xff);
}

function foreignCount(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte >= 0x80) count++;
  return count;
}
