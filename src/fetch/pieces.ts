import { uuidOfDigest } from "../url/canonical.ts";
import { ByteSink } from "./bytes.ts";
import { Decoder } from "./decode.ts";
import type { BodySink } from "./outcome.ts";

export interface PiecesOptions {
  /** Bytes that a piece has at least, but for the last one. */
  pieceBytes: number;
  /** Cap on the bytes, unpacked; the rest is not read. */
  bytesMax: number;
  /** Cap for what wants to be read in one piece. */
  wholeMax: number;
  /**
   * Reads a piece, one at a time. `whole`: it wants all of it at once, and gets this one again;
   * `stop`: the rest is not wanted. Does not reject.
   */
  read(bytes: Uint8Array<ArrayBuffer>, isLast: boolean): Promise<"more" | "whole" | "stop">;
}

/**
 * A body as pieces that are read one after the other while it arrives. A gzip file is unpacked, off
 * this thread. What comes faster than it is read waits on the wire: memory holds some pieces,
 * whatever the size.
 */
export class BodyPieces implements BodySink {
  ready: () => void = () => {};
  charset: string | null = null;
  /** What was wrong with the bytes; those before it were read. */
  problem: string | null = null;
  readonly #options: PiecesOptions;
  readonly #hash = new Bun.CryptoHasher("sha256");
  #unpacking: { decoder: Decoder; over: Promise<void> } | null = null;
  #hasBegun = false;
  #held = new ByteSink(0);
  #totalBytes = 0;
  #wantsWhole = false;
  /** No more bytes are taken. */
  #isFull = false;
  /** All bytes are here. */
  #isWhole = false;
  #wasLast = false;
  #reading: Promise<void> | null = null;

  constructor(options: PiecesOptions) {
    this.#options = options;
  }

  /** First 128 bits of sha256 of the bytes taken, as a uuid. */
  get hash(): string {
    return uuidOfDigest(this.#hash.copy().digest("hex"));
  }

  begin(charset: string | null): void {
    this.charset = charset;
  }

  take(bytes: Uint8Array): "more" | "wait" | "stop" {
    if (this.#isFull) return "stop";
    if (!this.#hasBegun && bytes.length > 0) {
      this.#hasBegun = true;
      if (bytes[0] === 0x1f && (bytes[1] ?? 0x8b) === 0x8b) this.#unpacking = this.#unpack();
    }
    if (this.#unpacking !== null && !this.#unpacking.decoder.write(bytes)) return "wait";
    if (this.#unpacking === null) this.#keep(bytes);
    if (this.#isFull) return "stop";
    return this.#isAhead ? "wait" : "more";
  }

  /** The wire has given all: resolves when it is unpacked and read. */
  async end(): Promise<void> {
    if (this.#unpacking !== null) {
      this.#unpacking.decoder.end();
      await this.#unpacking.over;
    }
    this.#isWhole = true;
    this.#work();
    while (this.#reading !== null) await this.#reading;
    this.close();
  }

  /** Reads no further. */
  close(): void {
    this.#isFull = true;
    this.#drop();
    this.#unpacking?.decoder.close();
  }

  get #isAhead(): boolean {
    return !this.#wantsWhole && this.#held.length >= 2 * this.#options.pieceBytes;
  }

  #unpack(): { decoder: Decoder; over: Promise<void> } {
    let isOver: () => void = () => {};
    const over = new Promise<void>((done) => {
      isOver = done;
    });
    const decoder: Decoder = new Decoder("gzip", {
      data: (bytes) => {
        this.#keep(bytes);
        if (this.#isFull) isOver();
        else if (this.#isAhead) decoder.pause();
      },
      end: isOver,
      broken: (kind) => {
        this.problem ??= `its gzip is ${kind}`;
        isOver();
      },
      drain: () => this.ready(),
    });
    return { decoder, over };
  }

  #keep(bytes: Uint8Array): void {
    if (this.#isFull) return;
    const room = this.#options.bytesMax - this.#totalBytes;
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
    this.#totalBytes += kept.length;
    this.#hash.update(kept);
    this.#held.append(kept);
    if (this.#totalBytes >= this.#options.bytesMax) {
      this.problem ??= "larger than what is read of one: the rest was not";
      this.#isFull = true;
    }
    if (this.#wantsWhole && this.#held.length > this.#options.wholeMax) {
      this.problem = "too large";
      this.#isFull = true;
      this.#drop();
    }
    this.#work();
  }

  #work(): void {
    if (this.#reading !== null || !this.#hasWork) return;
    this.#reading = this.#read().finally(() => {
      this.#reading = null;
      this.#work();
    });
  }

  get #hasWork(): boolean {
    if (this.#isWhole) return !this.#wasLast && this.#totalBytes > 0;
    return !this.#wantsWhole && this.#held.length >= this.#options.pieceBytes;
  }

  async #read(): Promise<void> {
    const isLast = this.#isWhole;
    const bytes = this.#held.take();
    // What wants to be read as a whole gets it again.
    const again = this.#wantsWhole || isLast ? null : bytes.slice();
    this.#wasLast = isLast;
    const word = await this.#options.read(bytes, isLast);
    if (word === "whole" && again !== null) {
      this.#wantsWhole = true;
      const since = this.#held.take();
      this.#held.append(again);
      this.#held.append(since);
    }
    if (word === "stop") {
      this.#wasLast = true;
      this.#isFull = true;
      this.#drop();
    }
    if (this.#isAhead && !this.#isFull) return;
    this.#unpacking?.decoder.resume();
    this.ready();
  }

  #drop(): void {
    this.#held.take();
  }
}
