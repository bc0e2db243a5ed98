import { createReadStream, statSync } from "node:fs";
import type { Readable } from "node:stream";

export type SeedFile =
  /** Its lines without comments and empty ones, read as they are asked for. */
  | { kind: "lines"; lines: AsyncGenerator<string> }
  | { kind: "missing" }
  | { kind: "unusable"; message: string };

/** Longer than any URL that is taken; the rest of such a line is not kept. */
const LINE_MAX = 8_192;

/** Opens a file of URLs by its path; a file of something else is told from its first bytes. */
export async function openSeedFile(path: string): Promise<SeedFile> {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return unusable(`${path} is a folder, not a file`);
    if (!found.isFile() && !found.isFIFO()) return unusable(`${path} is not a file`);
    const stream = createReadStream(path);
    const head = await firstChunk(stream);
    const encoding = encodingOf(head);
    if (encoding === null) return unusable(`${path} is no text: it must have one URL a line`);
    if (/^\s*</.test(new TextDecoder(encoding).decode(head.subarray(0, 256)))) {
      return unusable(`${path} is XML or HTML, which cannot be read yet: give one URL a line`);
    }
    return { kind: "lines", lines: linesOf(head, stream, encoding) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const isMissing = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code);
    return isMissing ? { kind: "missing" } : unusable(`${path} cannot be read (${code})`);
  }
}

/** Several sources one after the other; null when there is not a line in them. */
export async function allLines(
  sources: readonly (Iterable<string> | AsyncIterable<string>)[],
): Promise<AsyncIterable<string> | null> {
  const lines = joined(sources);
  const first = await lines.next();
  return first.done ? null : joined([[first.value], lines]);
}

async function* joined(
  sources: readonly (Iterable<string> | AsyncIterable<string>)[],
): AsyncGenerator<string> {
  for (const source of sources) yield* source;
}

async function firstChunk(stream: Readable): Promise<Uint8Array> {
  await new Promise<void>((done, fail) => {
    stream.once("readable", done).once("end", done).once("error", fail);
  });
  return (stream.read() as Buffer | null) ?? new Uint8Array();
}

/** Null: bytes of no text. A byte order mark says it is UTF-16, as some editors write it. */
function encodingOf(head: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | null {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const controls = head.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  return controls.includes(0) || controls.length > head.length / 50 ? null : "utf-8";
}

async function* linesOf(
  head: Uint8Array,
  rest: Readable,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let held = "";
  for await (const chunk of chunks(head, rest)) {
    const lines = (held + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/);
    held = lines.pop()!.slice(0, LINE_MAX);
    yield* lines.map(bare).filter(Boolean);
  }
  const last = bare(held + decoder.decode());
  if (last !== "") yield last;
}

async function* chunks(head: Uint8Array, rest: Readable): AsyncGenerator<Uint8Array> {
  yield head;
  for await (const chunk of rest) yield chunk as Uint8Array;
}

function bare(line: string): string {
  const text = line.slice(0, LINE_MAX).replace(/(^|\s)#.*$/, "");
  return text.trim();
}

function unusable(message: string): SeedFile {
  return { kind: "unusable", message };
}
