import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { ZstdFrames } from "./zstd.ts";

export type Coding = "gzip" | "br" | "deflate" | "zstd";

/** What the decoders below can undo; a coding that cannot be undone is never asked for. */
export const ACCEPT_ENCODING = "gzip, br, deflate, zstd";

export type Decoded =
  | { kind: "decoded"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "over" }
  | { kind: "truncated"; detail: string }
  | { kind: "malformed"; detail: string };

export interface DecoderListener {
  /** A piece of decoded bytes, given away. */
  data(bytes: Uint8Array): void;
  end(): void;
  broken(kind: "truncated" | "malformed", detail: string): void;
  /** The decoder takes bytes again. */
  drain(): void;
}

/** RFC 9659: no more window than 8 MiB; the library's own limit would be 128. */
const ZSTD_OPTIONS = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };
const CHUNK_BYTES = 65_536;

/** Undoes codings at once, on this thread: for short bodies, a third of the price of streaming. */
export function decodeWhole(
  codings: readonly Coding[],
  encoded: Uint8Array,
  bytesMax: number,
): Decoded {
  let bytes: Uint8Array<ArrayBufferLike> = encoded;
  for (const coding of codings.toReversed()) {
    if (bytes.length === 0) break;
    const result = decodeLayer(coding, bytes, bytesMax);
    if (result.kind !== "decoded") return result;
    bytes = result.bytes;
  }
  return { kind: "decoded", bytes: owned(bytes) };
}

function decodeLayer(coding: Coding, bytes: Uint8Array, bytesMax: number): Decoded {
  try {
    const decoded = decodeSync(coding, bytes, { maxOutputLength: bytesMax });
    if (coding === "zstd" && !isWholeZstd(bytes)) return { kind: "truncated", detail: "zstd" };
    return { kind: "decoded", bytes: owned(decoded) };
  } catch (error) {
    const { code, detail } = codeOf(error, coding);
    if (code === "ERR_BUFFER_TOO_LARGE") return { kind: "over" };
    return { kind: isTruncation(code) ? "truncated" : "malformed", detail };
  }
}

function decodeSync(
  coding: Coding,
  bytes: Uint8Array,
  options: { maxOutputLength: number },
): Uint8Array {
  switch (coding) {
    case "gzip":
      return zlib.gunzipSync(bytes, options);
    case "br":
      return zlib.brotliDecompressSync(bytes, options);
    case "zstd":
      return zlib.zstdDecompressSync(bytes, { ...options, ...ZSTD_OPTIONS });
    case "deflate":
      return hasZlibHeader(bytes)
        ? zlib.inflateSync(bytes, options)
        : zlib.inflateRawSync(bytes, options);
  }
}

/**
 * One coding undone piece by piece, off this thread, a layer of the next one's input. Output comes
 * in pieces of 64 KiB and stops while the listener does not ask for more, so a bomb never unfolds.
 */
export class Decoder {
  readonly #coding: Coding;
  readonly #listener: DecoderListener;
  readonly #frames: ZstdFrames | null;
  #stream: Transform | null = null;
  #isClosed = false;

  constructor(coding: Coding, listener: DecoderListener) {
    this.#coding = coding;
    this.#listener = listener;
    this.#frames = coding === "zstd" ? new ZstdFrames() : null;
  }

  /** False: wait for `drain` with more. */
  write(bytes: Uint8Array): boolean {
    if (this.#isClosed || bytes.length === 0) return true;
    this.#frames?.feed(bytes);
    this.#stream ??= this.#open(bytes);
    return this.#stream.write(bytes);
  }

  end(): void {
    if (this.#isClosed) return;
    if (this.#stream === null) this.#end();
    else this.#stream.end();
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  close(): void {
    this.#isClosed = true;
    this.#stream?.destroy();
  }

  #open(first: Uint8Array): Transform {
    const stream = createStream(this.#coding, first);
    stream.on("data", (bytes: Uint8Array) => {
      if (!this.#isClosed) this.#listener.data(bytes);
    });
    stream.on("drain", () => {
      if (!this.#isClosed) this.#listener.drain();
    });
    stream.on("end", () => this.#end());
    stream.on("error", (error) => {
      const { code, detail } = codeOf(error, this.#coding);
      this.#break(isTruncation(code) ? "truncated" : "malformed", detail);
    });
    return stream;
  }

  #end(): void {
    if (this.#isClosed) return;
    if (this.#frames?.isWhole === false) {
      this.#break("truncated", "zstd");
      return;
    }
    this.#isClosed = true;
    this.#listener.end();
  }

  #break(kind: "truncated" | "malformed", detail: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.broken(kind, detail);
  }
}

function createStream(coding: Coding, first: Uint8Array): Transform {
  const options = { chunkSize: CHUNK_BYTES };
  switch (coding) {
    case "gzip":
      return zlib.createGunzip(options);
    case "br":
      return zlib.createBrotliDecompress(options);
    case "zstd":
      return zlib.createZstdDecompress({ ...options, ...ZSTD_OPTIONS });
    case "deflate":
      return hasZlibHeader(first) ? zlib.createInflate(options) : zlib.createInflateRaw(options);
  }
}

/** RFC 1950; some servers say deflate and send it bare. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [cmf = 0, flg = 0] = bytes;
  return bytes.length === 1 || ((cmf & 15) === 8 && ((cmf << 8) | flg) % 31 === 0);
}

function isWholeZstd(bytes: Uint8Array): boolean {
  const frames = new ZstdFrames();
  frames.feed(bytes);
  return frames.isWhole;
}

const isTruncation = (code: string) => code === "Z_BUF_ERROR";

function codeOf(error: unknown, coding: Coding): { code: string; detail: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  return { code: code ?? "", detail: `${coding}: ${message}` };
}

/** A view of its own, whole buffer: what is handed out may be transferred to a thread. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  const isWhole = byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
  return isWhole ? new Uint8Array(buffer, byteOffset, byteLength) : Uint8Array.from(bytes);
}
