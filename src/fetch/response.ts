import { ByteSink } from "./bytes.ts";
import { ChunkReader } from "./chunked.ts";
import { parseHead, type ResponseHead } from "./head.ts";

/** What stands in the way of an answer; the first one ends it. */
export type Problem =
  | { kind: "malformed"; detail: string }
  | { kind: "too large"; bytes: number }
  | { kind: "interrupted"; cause: "reset" | "truncated"; detail: string };

export interface ResponseListener {
  /** The final head. False: nothing more is wanted. */
  head(head: ResponseHead): boolean;
  /** A piece of the body, chunk framing off; the bytes are only lent. False: enough. */
  content(bytes: Uint8Array): boolean;
  /** The answer is whole. */
  whole(isReusable: boolean): void;
  broken(problem: Problem): void;
}

/** How the other side ended: `ended` in an orderly way, `cut` without TLS's word of farewell. */
export type Ending = "ended" | "cut" | "reset";

const INTERIM_MAX = 16;
const NEXT_EMPTY_CRLF = Buffer.from("\n\r\n");
const NEXT_EMPTY_LF = Buffer.from("\n\n");
const START = "HTTP/1.";

/** Reads one answer from the bytes of a connection: small, strict, bounded in every direction. */
export class ResponseReader {
  /** Whether anything was received at all. */
  hasBegun = false;
  /** Bytes received: head and interim heads, and behind them the body with its framing. */
  headBytes = 0;
  bodyBytes = 0;
  #held = new ByteSink(0);
  #searched = 0;
  #interims = 0;
  #head: ResponseHead | null = null;
  #left = 0;
  #chunks = new ChunkReader();
  #isOver = false;
  readonly #listener: ResponseListener;
  readonly #headerBytesMax: number;

  constructor(listener: ResponseListener, headerBytesMax: number) {
    this.#listener = listener;
    this.#headerBytesMax = headerBytesMax;
  }

  get head(): ResponseHead | null {
    return this.#head;
  }

  push(chunk: Buffer): void {
    this.hasBegun = true;
    let rest: Buffer | null = chunk;
    while (rest !== null && !this.#isOver && this.#head === null) rest = this.#pushHead(rest);
    if (rest === null || this.#isOver || this.#head === null) return;
    this.#pushBody(rest, this.#head);
  }

  /** The connection has ended. */
  close(ending: Ending, detail: string): void {
    if (this.#isOver) return;
    if (this.#head === null) {
      this.#interrupt("reset", detail || "closed before the answer");
      return;
    }
    if (ending === "reset") {
      this.#interrupt("reset", detail);
      return;
    }
    if (this.#head.framing.kind !== "until close") {
      this.#interrupt("truncated", "closed within the body");
      return;
    }
    if (ending === "cut") {
      this.#interrupt("truncated", "TLS ended without close_notify");
      return;
    }
    this.#finish(false);
  }

  /** Reads as much of a head as is there; returns what lies behind it. */
  #pushHead(chunk: Buffer): Buffer | null {
    const bytes = this.#held.length === 0 ? chunk : this.#join(chunk);
    const from = Math.max(0, this.#searched - 2);
    const end = endOfHead(bytes, from);
    const headLength = end === null ? bytes.length : end.behind;
    if (this.headBytes + headLength > this.#headerBytesMax) {
      return this.#break({ kind: "too large", bytes: this.headBytes + headLength });
    }
    if (!startsAsHttp(bytes)) return this.#malformed("not HTTP/1");
    if (end === null) {
      if (this.#held.length === 0) this.#held.append(chunk);
      this.#searched = bytes.length;
      return null;
    }
    this.headBytes += headLength;
    this.#held = new ByteSink(0);
    this.#searched = 0;
    const rest = bytes.subarray(end.behind);
    return this.#takeHead(bytes.toString("latin1", 0, end.at)) ? rest : null;
  }

  #join(chunk: Buffer): Buffer {
    this.#held.append(chunk);
    return this.#held.view();
  }

  /** True when reading may go on. */
  #takeHead(text: string): boolean {
    const result = parseHead(text);
    if (result.kind === "malformed") {
      this.#malformed(result.detail);
      return false;
    }
    const { head } = result;
    if (head.status < 200) {
      this.#interims += 1;
      if (head.status !== 101 && this.#interims <= INTERIM_MAX) return true;
      this.#malformed(head.status === 101 ? "protocol switched" : "too many interim answers");
      return false;
    }
    this.#head = head;
    this.#left = head.framing.kind === "length" ? head.framing.bytes : 0;
    if (this.#listener.head(head)) return true;
    this.#isOver = true;
    return false;
  }

  #pushBody(bytes: Buffer, head: ResponseHead): void {
    this.bodyBytes += bytes.length;
    switch (head.framing.kind) {
      case "none":
        this.#finish(bytes.length === 0);
        return;
      case "length": {
        const end = Math.min(bytes.length, this.#left);
        this.#left -= end;
        if (end > 0 && !this.#content(bytes.subarray(0, end))) return;
        if (this.#left === 0) this.#finish(end === bytes.length);
        return;
      }
      case "chunked": {
        const end = this.#chunks.read(bytes, 0, (content) => this.#content(content));
        if (this.#isOver) return;
        if (typeof end === "string") this.#malformed(end);
        else if (this.#chunks.isOver) this.#finish(end === bytes.length);
        return;
      }
      case "until close":
        if (bytes.length > 0) this.#content(bytes);
    }
  }

  #content(bytes: Uint8Array): boolean {
    if (this.#listener.content(bytes)) return true;
    this.#isOver = true;
    return false;
  }

  #finish(endsHere: boolean): void {
    this.#isOver = true;
    this.#listener.whole(endsHere && this.#head?.isPersistent === true);
  }

  #interrupt(cause: "reset" | "truncated", detail: string): void {
    this.#break({ kind: "interrupted", cause, detail });
  }

  #malformed(detail: string): null {
    return this.#break({ kind: "malformed", detail });
  }

  #break(problem: Problem): null {
    this.#isOver = true;
    this.#listener.broken(problem);
    return null;
  }
}

/** Where the fields end, and where what follows the empty line begins. */
function endOfHead(bytes: Buffer, from: number): { at: number; behind: number } | null {
  const crlf = bytes.indexOf(NEXT_EMPTY_CRLF, from);
  const lf = (crlf < 0 ? bytes : bytes.subarray(0, crlf + 1)).indexOf(NEXT_EMPTY_LF, from);
  if (lf >= 0) return { at: lf, behind: lf + 2 };
  return crlf < 0 ? null : { at: crlf, behind: crlf + 3 };
}

/** Known from the first bytes: a banner of another protocol must not wait for its time-out. */
function startsAsHttp(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, START.length);
  return bytes.toString("latin1", 0, length) === START.slice(0, length);
}
