/** How the end of a body is known (RFC 9112, section 6.3). */
export type Framing =
  | { kind: "none" }
  | { kind: "length"; bytes: number }
  | { kind: "chunked" }
  | { kind: "until close" };

export interface ResponseHead {
  status: number;
  /** Lower-case names with trimmed values, latin-1, in the order received. */
  fields: readonly Field[];
  framing: Framing;
  /** The connection may carry a further request once the body has ended. */
  isPersistent: boolean;
}

export type Field = readonly [name: string, value: string];

export type HeadResult =
  | { kind: "head"; head: ResponseHead }
  | { kind: "malformed"; detail: string };

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const FRAMING_FIELDS = new Set(["content-length", "transfer-encoding"]);

/** Every value of a field, in order. */
export function fieldValues(head: ResponseHead, name: string): string[] {
  const values: string[] = [];
  for (const field of head.fields) if (field[0] === name) values.push(field[1]);
  return values;
}

/** The first value of a field; null when it is not there. */
export function fieldValue(head: ResponseHead, name: string): string | null {
  for (const field of head.fields) if (field[0] === name) return field[1];
  return null;
}

/**
 * Reads a head as strictly as its framing needs. What two readers could understand in two ways is
 * refused; what is merely ugly (a line without colon, bare LF, folding) is read, and the
 * connection not used again.
 *
 * @param text status line and fields, latin-1, without the LF of the last line
 */
export function parseHead(text: string): HeadResult {
  if (hasForbidden(text)) return malformed("control character in header");
  const lines = text.split("\n");
  let isUgly = false;
  for (const [i, line] of lines.entries()) {
    if (line.endsWith("\r")) lines[i] = line.slice(0, -1);
    else isUgly = true;
  }
  const statusLine = STATUS_LINE.exec(lines[0] ?? "");
  if (statusLine === null) return malformed("no HTTP/1 status line");
  const status = Number(statusLine[2]);
  if (status < 100) return malformed(`status ${statusLine[2]}`);
  const read = parseFields(lines);
  if (typeof read === "string") return malformed(read);
  const isVersion1 = statusLine[1] === "1";
  const framing = framingOf(status, read.fields, isVersion1);
  if (typeof framing === "string") return malformed(framing);
  const isPersistent =
    isVersion1 &&
    !isUgly &&
    !read.isUgly &&
    framing.kind !== "until close" &&
    !asksToClose(read.fields);
  return { kind: "head", head: { status, fields: read.fields, framing, isPersistent } };
}

/** NUL, or CR that ends no line. */
function hasForbidden(text: string): boolean {
  if (text.includes("\0")) return true;
  for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", at + 1)) {
    if (at + 1 < text.length && text.charCodeAt(at + 1) !== 10) return true;
  }
  return false;
}

function parseFields(lines: readonly string[]): { fields: Field[]; isUgly: boolean } | string {
  const fields: Field[] = [];
  let isUgly = false;
  for (let i = 1; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    if (line.startsWith(" ") || line.startsWith("\t")) {
      const folded = fields.pop();
      if (folded === undefined) return "folded first line";
      fields.push([folded[0], `${folded[1]} ${line.trim()}`]);
      isUgly = true;
      continue;
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (TOKEN.test(name)) {
      fields.push([name, line.slice(colon + 1).trim()]);
    } else {
      if (FRAMING_FIELDS.has(name.trim())) return `blank in name of ${name.trim()}`;
      isUgly = true;
    }
  }
  return { fields, isUgly };
}

function framingOf(
  status: number,
  fields: readonly Field[],
  isVersion1: boolean,
): Framing | string {
  const lengths: string[] = [];
  const codings: string[] = [];
  for (const [name, value] of fields) {
    if (name === "content-length") lengths.push(...value.split(","));
    else if (name === "transfer-encoding") codings.push(value.toLowerCase());
  }
  const length = lengthOf(lengths);
  if (typeof length === "string") return length;
  if (codings.length > 0) {
    if (length !== null) return "content-length beside transfer-encoding";
    if (!isVersion1) return "transfer-encoding in HTTP/1.0";
    if (codings.join(",") !== "chunked") return "unknown transfer-encoding";
  }
  if (status < 200 || status === 204 || status === 304) return { kind: "none" };
  if (codings.length > 0) return { kind: "chunked" };
  return length === null ? { kind: "until close" } : { kind: "length", bytes: length };
}

/** The same number said twice is one number; null when none was said. */
function lengthOf(texts: readonly string[]): number | null | string {
  let length: number | null = null;
  for (const text of texts) {
    const digits = text.trim();
    if (!/^\d{1,15}$/.test(digits)) return "content-length is no number";
    if (length !== null && length !== Number(digits)) return "content-lengths differ";
    length = Number(digits);
  }
  return length;
}

function asksToClose(fields: readonly Field[]): boolean {
  return fields.some(
    ([name, value]) => name === "connection" && /(?:^|,)\s*close\s*(?:,|$)/i.test(value),
  );
}

const malformed = (detail: string): HeadResult => ({ kind: "malformed", detail });
