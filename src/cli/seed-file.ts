import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { SeedItem } from "../crawl/submit.ts";
import { xmlCharset } from "../parse/sitemap.ts";
import { itemsOfXml } from "./seed-xml.ts";

export type SeedFile =
  /** What it names, read as it is asked for. */
  | { kind: "items"; items: AsyncGenerator<SeedItem> }
  | { kind: "missing" }
  | { kind: "unusable"; message: string };

export interface SeedFileOptions {
  /** Characters of a feed or list of feeds. */
  wholeMax: number;
  /** What is wrong with a part of the file. */
  trouble: (message: string) => void;
}

/** Longer than any URL that is taken; the rest of such a line is not kept. */
const LINE_MAX = 8_192;
/** What the kind of a file and its charset are told from. */
const HEAD_BYTES = 4_096;

/** Opens a file that names URLs by its path; what it is, is told from its first bytes. */
export async function openSeedFile(path: string, options: SeedFileOptions): Promise<SeedFile> {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return unusable(`${path} is a folder, not a file`);
    if (!found.isFile() && !found.isFIFO()) return unusable(`${path} is not a file`);
    return await recognised(path, unpacked(createReadStream(path)), options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const isMissing = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code);
    if (code.startsWith("Z_") || code === "ERR_TRAILING_JUNK_AFTER_STREAM_END") {
      return unusable(`${path} is damaged: its gzip cannot be unpacked (${code})`);
    }
    return isMissing ? { kind: "missing" } : unusable(`${path} cannot be read (${code})`);
  }
}

async function recognised(
  path: string,
  bytes: AsyncGenerator<Uint8Array>,
  options: SeedFileOptions,
): Promise<SeedFile> {
  const head = await gathered(bytes);
  const chunks = joined<Uint8Array>([[head], bytes]);
  const charset = xmlCharset(head, null);
  const encoding = encodingOf(head) ?? (charset?.startsWith("utf-16") ? charset : null);
  if (encoding === null) return unusable(`${path} is no text: it must have one URL a line`);
  if (/^\s*</.test(new TextDecoder(encoding).decode(head.subarray(0, HEAD_BYTES)))) {
    return { kind: "items", items: itemsOfXml({ path, chunks, ...options }) };
  }
  return { kind: "items", items: linesOf(path, chunks, encoding, options.trouble) };
}

/** Several sources one after the other; null when there is nothing in them. */
export async function allItems(
  sources: readonly (Iterable<SeedItem> | AsyncIterable<SeedItem>)[],
): Promise<AsyncIterable<SeedItem> | null> {
  const items = joined(sources);
  const first = await items.next();
  return first.done ? null : joined([[first.value], items]);
}

async function* joined<T>(sources: readonly (Iterable<T> | AsyncIterable<T>)[]): AsyncGenerator<T> {
  for (const source of sources) yield* source;
}

/** Bytes of a file, of a gzip file those that are packed in it. */
async function* unpacked(file: Readable): AsyncGenerator<Uint8Array> {
  const bytes = file[Symbol.asyncIterator]() as AsyncGenerator<Uint8Array>;
  const head = await gathered(bytes, 2);
  const whole = joined<Uint8Array>([[head], bytes]);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* whole;
  const gunzip = createGunzip();
  // What goes wrong there is told to whoever reads it.
  pipeline(Readable.from(whole), gunzip).catch(() => {});
  yield* gunzip as AsyncIterable<Uint8Array>;
}

/** The first bytes, which a pipe gives in pieces of any size. */
async function gathered(
  bytes: AsyncGenerator<Uint8Array>,
  least = HEAD_BYTES,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let length = 0; length < least; ) {
    const next = await bytes.next();
    if (next.done) break;
    pieces.push(next.value);
    length += next.value.length;
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Null: bytes of no text. A byte order mark says it is UTF-16, as some editors write it. */
function encodingOf(head: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | null {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const controls = head.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  return controls.includes(0) || controls.length > head.length / 50 ? null : "utf-8";
}

/** Its lines without comments and empty ones. */
async function* linesOf(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
  trouble: (message: string) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let held = "";
  let count = 0;
  try {
    for await (const chunk of chunks) {
      const lines = (held + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/);
      held = lines.pop()!.slice(0, LINE_MAX);
      count += lines.length;
      yield* lines.map(bare).filter(Boolean);
    }
  } catch (error) {
    // A line that is cut is no URL.
    return trouble(`${path} cannot be read behind line ${count}: ${(error as Error).message}`);
  }
  const last = bare(held + decoder.decode());
  if (last !== "") yield last;
}

function bare(line: string): string {
  const text = line.slice(0, LINE_MAX).replace(/(^|\s)#.*$/, "");
  return text.trim();
}

function unusable(message: string): SeedFile {
  return { kind: "unusable", message };
}
