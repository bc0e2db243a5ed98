type Place =
  | "digits"
  | "extension"
  | "size LF"
  | "data"
  | "data CR"
  | "data LF"
  | "trailer start"
  | "trailer"
  | "end LF"
  | "over";

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
/** More says nothing that a body under its cap could need. */
const DIGITS_MAX = 8;
const EXTENSION_BYTES_MAX = 1_024;
const TRAILER_BYTES_MAX = 16_384;

/** Takes a chunked body apart, byte by byte where it must be, in whole runs where it can. */
export class ChunkReader {
  #place: Place = "digits";
  #digits = 0;
  #left = 0;
  #extension = 0;
  #trailer = 0;

  get isOver(): boolean {
    return this.#place === "over";
  }

  /**
   * Reads from `at`, hands on the content, and returns the place behind the last byte that
   * belongs to the body; a text instead says what is wrong with it.
   */
  read(
    bytes: Uint8Array,
    at: number,
    onContent: (content: Uint8Array) => boolean,
  ): number | string {
    let next = at;
    while (next < bytes.length && this.#place !== "over") {
      if (this.#place === "data") {
        const end = Math.min(bytes.length, next + this.#left);
        this.#left -= end - next;
        if (!onContent(bytes.subarray(next, end))) return end;
        next = end;
        if (this.#left === 0) this.#place = "data CR";
      } else {
        const problem = this.#step(bytes[next] ?? 0);
        if (problem !== null) return problem;
        next += 1;
      }
    }
    return next;
  }

  #step(byte: number): string | null {
    switch (this.#place) {
      case "digits":
        return this.#digit(byte);
      case "extension":
        this.#extension += 1;
        if (this.#extension > EXTENSION_BYTES_MAX) return "chunk extension too long";
        return byte === CR ? this.#go("size LF") : byte === LF ? "bare LF in chunk size" : null;
      case "size LF":
        if (byte !== LF) return "bad end of chunk size";
        return this.#go(this.#left === 0 ? "trailer start" : "data");
      case "data CR":
        return byte === CR ? this.#go("data LF") : "chunk longer than its size";
      case "data LF":
        this.#digits = 0;
        this.#extension = 0;
        return byte === LF ? this.#go("digits") : "bad end of chunk";
      case "trailer start":
        return this.#go(byte === CR ? "end LF" : "trailer");
      case "trailer":
        this.#trailer += 1;
        if (this.#trailer > TRAILER_BYTES_MAX) return "trailers too long";
        return byte === LF ? this.#go("trailer start") : null;
      case "end LF":
        return byte === LF ? this.#go("over") : "bad end of chunks";
      case "data":
      case "over":
        return null;
    }
  }

  #digit(byte: number): string | null {
    const value = hexValue(byte);
    if (value >= 0) {
      this.#digits += 1;
      this.#left = this.#left * 16 + value;
      return this.#digits > DIGITS_MAX ? "chunk size too large" : null;
    }
    if (this.#digits === 0) return "no chunk size";
    if (byte === CR) return this.#go("size LF");
    const isExtension = byte === SEMICOLON || byte === 32 || byte === 9;
    return isExtension ? this.#go("extension") : "bad chunk size";
  }

  #go(place: Place): null {
    this.#place = place;
    return null;
  }
}

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
