import { ByteSink } from "./bytes.ts";
import { type Coding, Decoder, decodeWhole } from "./decode.ts";
import type { BodySink } from "./outcome.ts";

export interface BodyOptions {
  /** In the order they were applied; at most `CODINGS_MAX`. */
  codings: readonly Coding[];
  /** Cap on decoded bytes. */
  bytesMax: number;
  /** Cut at the cap instead of refused. */
  isCut: boolean;
  /** Bytes to come on the wire, if known. */
  lengthHint: number;
  /** Looks at the first decoded bytes, once; false: the rest is not wanted. */
  judge: (first: Uint8Array) => boolean;
  /** Gets the bytes while they arrive; the end then has none. */
  sink?: BodySink | null;
  pause: () => void;
  resume: () => void;
}

export type BodyEnd =
  | { kind: "whole"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "unwanted" }
  | { kind: "too large"; bytes: number }
  | { kind: "truncated"; detail: string }
  | { kind: "malformed"; detail: string };

export const CODINGS_MAX = 2;
/** First bytes that are enough to know a type. */
const JUDGED_BYTES = 1_024;
/** Shorter bodies are decoded at once; a longer one while it arrives, off this thread. */
const STREAMED_FROM_BYTES = 65_536;
/** No more than this is made at once: some 10 ms of this thread. */
const AT_ONCE_BYTES_MAX = 4 * 1024 * 1024;
const ROOM_AT_FIRST_BYTES_MAX = 262_144;

/** Takes a body in, decoding it under its cap; `ended` says, once, what it came to. */
export class BodyIntake {
  readonly ended: Promise<BodyEnd>;
  readonly #options: BodyOptions;
  readonly #out: ByteSink;
  readonly #held = new ByteSink(0);
  #decoders: Decoder[] = [];
  #isJudged = false;
  #isUnwanted = false;
  #takenBytes = 0;
  readonly #sink: BodySink | null;
  #end: ((end: BodyEnd) => void) | null = null;

  constructor(options: BodyOptions) {
    this.#options = options;
    this.#sink = options.sink ?? null;
    if (this.#sink !== null) this.#sink.ready = () => this.#goOn();
    const room = options.codings.length === 0 ? options.lengthHint : 0;
    this.#out = new ByteSink(Math.min(room, ROOM_AT_FIRST_BYTES_MAX, options.bytesMax));
    this.ended = new Promise((end) => {
      this.#end = end;
    });
  }

  /** Takes bytes off the wire, lent. False: enough, `ended` is settled. */
  write(bytes: Uint8Array): boolean {
    if (this.#isUnwanted) this.#settle({ kind: "unwanted" });
    if (this.#end === null) return false;
    if (this.#options.codings.length === 0) this.#take(bytes);
    else if (this.#decoders.length > 0) this.#feed(bytes.slice());
    else this.#hold(bytes);
    return this.#end !== null;
  }

  /** The wire has given all. */
  finish(): void {
    if (this.#end === null) return;
    const { codings } = this.#options;
    if (codings.length === 0) this.#finishOutput();
    else if (this.#decoders.length > 0) this.#decoders[0]?.end();
    else this.#decodeHeld();
  }

  /** The wire gives no more, and what came is taken for the whole. */
  cut(): void {
    if (this.#options.codings.length > 0 && this.#decoders.length === 0) this.#startDecoders();
    this.#finishOutput();
  }

  close(): void {
    this.#settle({ kind: "unwanted" });
  }

  #hold(bytes: Uint8Array): void {
    this.#held.append(bytes);
    if (this.#held.length > STREAMED_FROM_BYTES) this.#startDecoders();
  }

  #decodeHeld(): void {
    const { codings, bytesMax, isCut } = this.#options;
    const most = Math.min(bytesMax, AT_ONCE_BYTES_MAX);
    const result = decodeWhole(codings, this.#held.view(), most);
    switch (result.kind) {
      case "decoded":
        this.#isJudged = true;
        if (!this.#options.judge(result.bytes)) {
          this.#settle({ kind: "unwanted" });
          return;
        }
        this.#sink?.take(result.bytes);
        this.#settle({ kind: "whole", bytes: this.#sink ? NONE : result.bytes });
        return;
      case "over":
        if (most === bytesMax && !isCut) {
          this.#settle(tooLarge(bytesMax));
          return;
        }
        this.#startDecoders();
        this.#decoders[0]?.end();
        return;
      case "truncated":
      case "malformed":
        this.#settle(result);
        return;
    }
  }

  /** The last coding applied is the first to be undone; each decoder feeds the next. */
  #startDecoders(): void {
    const decoders: Decoder[] = [];
    const inward = this.#options.codings.toReversed();
    inward.forEach((coding, i) => {
      const decoder = new Decoder(coding, {
        data: (bytes) => {
          const next = decoders[i + 1];
          if (next === undefined) this.#take(bytes);
          else if (!next.write(bytes)) decoder.pause();
        },
        end: () => {
          const next = decoders[i + 1];
          if (next === undefined) this.#finishOutput();
          else next.end();
        },
        drain: () => {
          const previous = decoders[i - 1];
          if (previous === undefined) this.#options.resume();
          else previous.resume();
        },
        broken: (kind, detail) => this.#settle({ kind, detail }),
      });
      decoders.push(decoder);
    });
    this.#decoders = decoders;
    this.#feed(this.#held.take());
  }

  #feed(bytes: Uint8Array): void {
    if (this.#decoders[0]?.write(bytes) === false) this.#options.pause();
  }

  /** Decoded bytes, under the cap. */
  #take(bytes: Uint8Array): void {
    if (this.#end === null) return;
    const { bytesMax, isCut } = this.#options;
    if (this.#sink !== null) {
      this.#pass(this.#sink, bytes);
      return;
    }
    const room = bytesMax - this.#out.length;
    if (bytes.length <= room) {
      this.#out.append(bytes);
      if (this.#out.length >= JUDGED_BYTES) this.#judge();
      return;
    }
    if (!isCut) {
      this.#settle(tooLarge(this.#out.length + bytes.length));
      return;
    }
    this.#out.append(bytes.subarray(0, room));
    this.#finishOutput();
  }

  /** The same for a sink, which is never refused what came before the cap. */
  #pass(sink: BodySink, bytes: Uint8Array): void {
    if (!this.#isJudged) this.#options.judge(bytes);
    this.#isJudged = true;
    const room = this.#options.bytesMax - this.#takenBytes;
    this.#takenBytes += bytes.length;
    // What comes off the wire is lent.
    const word = sink.take(bytes.slice(0, Math.max(0, room)));
    if (word === "stop" || bytes.length > room) this.#settle({ kind: "whole", bytes: NONE });
    else if (word === "wait") this.#wait();
  }

  #wait(): void {
    const last = this.#decoders.at(-1);
    if (last) last.pause();
    else this.#options.pause();
  }

  #goOn(): void {
    if (this.#end === null) return;
    const last = this.#decoders.at(-1);
    if (last) last.resume();
    else this.#options.resume();
  }

  /** What is not wanted and packed may still be a bomb: it unfolds as far as it was read. */
  #judge(): void {
    if (this.#isJudged) return;
    this.#isJudged = true;
    this.#isUnwanted = !this.#options.judge(this.#out.view());
    if (this.#isUnwanted && this.#decoders.length === 0) this.#settle({ kind: "unwanted" });
  }

  #finishOutput(): void {
    if (this.#sink === null || !this.#isJudged) this.#judge();
    this.#settle(
      this.#isUnwanted ? { kind: "unwanted" } : { kind: "whole", bytes: this.#out.take() },
    );
  }

  #settle(end: BodyEnd): void {
    const settle = this.#end;
    if (settle === null) return;
    this.#end = null;
    for (const decoder of this.#decoders) decoder.close();
    settle(end);
  }
}

const NONE = new Uint8Array(0);
const tooLarge = (bytes: number): BodyEnd => ({ kind: "too large", bytes });
