import type { Clock } from "../clock.ts";
import type { BodyEnd, BodyIntake } from "./body.ts";
import type { Connection, ConnectionListener } from "./connect.ts";
import type { ResponseHead } from "./head.ts";
import type { Pool } from "./pool.ts";
import { type Ending, type Problem, type ResponseListener, ResponseReader } from "./response.ts";

/** What becomes of the body, once the head is known. */
export type Plan =
  | { kind: "read"; intake: BodyIntake; bytesMax: number; isCut: boolean }
  /** Read past, if it is short and soon over: the connection is worth that much. */
  | { kind: "drain" }
  | { kind: "stop" };

export type ExchangeEnd =
  | {
      kind: "answered";
      head: ResponseHead;
      body: BodyEnd | null;
      wireBytes: number;
      endedAt: number;
    }
  | { kind: "failed"; problem: Problem | Lateness; isStale: boolean }
  | { kind: "aborted" };

export interface Lateness {
  kind: "interrupted";
  cause: "timeout" | "slow";
  detail: string;
}

export interface ExchangeOptions {
  clock: Clock;
  pool: Pool;
  headerBytesMax: number;
  /** From the request to the end of the head. */
  headTimeoutMs: number;
  minRateBytesPerS: number;
  /** Milliseconds since the epoch. */
  deadlineMs: number;
  plan: (head: ResponseHead) => Plan;
}

const RATE_WINDOW_MS = 5_000;
export const DRAINED_BYTES_MAX = 65_536;
const DRAIN_MS = 1_000;

/** One request and its answer over one connection, which it gives back or closes. */
export class Exchange implements ConnectionListener, ResponseListener {
  readonly ended: Promise<ExchangeEnd>;
  readonly #connection: Connection;
  readonly #options: ExchangeOptions;
  readonly #reader: ResponseReader;
  readonly #headDeadlineMs: number;
  #plan: Plan | null = null;
  #settle: ((end: ExchangeEnd) => void) | null = null;
  #wireEndedAt = 0;
  #isPaused = false;
  #windowSinceMs = 0;
  #windowBytes = 0;

  constructor(connection: Connection, request: Uint8Array, options: ExchangeOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#reader = new ResponseReader(this, options.headerBytesMax);
    this.#headDeadlineMs = options.clock.now() + options.headTimeoutMs;
    this.ended = new Promise((settle) => {
      this.#settle = settle;
    });
    connection.listener = this;
    connection.send(request);
    // it ended between two turns of the loop, and will not say so again
    if (!connection.isOpen) queueMicrotask(() => this.closed("reset", "closed before the request"));
  }

  /** Looks at the clock; to be called several times a second. */
  tick(nowMs: number): void {
    if (this.#settle === null) return;
    if (nowMs >= this.#options.deadlineMs) {
      this.#late("timeout", "total time");
      return;
    }
    if (this.#plan === null) {
      if (nowMs >= this.#headDeadlineMs) this.#late("timeout", "no head in time");
    } else if (this.#plan.kind === "drain") {
      if (nowMs >= this.#windowSinceMs + DRAIN_MS) this.#answer(null);
    } else if (this.#wireEndedAt === 0 && nowMs >= this.#windowSinceMs + RATE_WINDOW_MS) {
      this.#judgeRate(nowMs);
    }
  }

  abort(): void {
    this.#end({ kind: "aborted" });
  }

  data(bytes: Buffer): void {
    this.#reader.push(bytes);
  }

  closed(ending: Ending, detail: string): void {
    this.#reader.close(ending, detail);
  }

  head(head: ResponseHead): boolean {
    const plan = this.#options.plan(head);
    this.#plan = plan;
    this.#windowSinceMs = this.#options.clock.now();
    if (plan.kind === "read") void plan.intake.ended.then((body) => this.#answer(body));
    if (plan.kind !== "stop") return true;
    this.#answer(null);
    return false;
  }

  content(bytes: Uint8Array): boolean {
    const plan = this.#plan;
    if (plan?.kind === "drain") {
      if (this.#reader.bodyBytes <= DRAINED_BYTES_MAX) return true;
      this.#answer(null);
      return false;
    }
    if (plan?.kind !== "read") return false;
    if (!plan.intake.write(bytes)) return false;
    if (this.#reader.bodyBytes <= plan.bytesMax) return true;
    if (plan.isCut) plan.intake.cut();
    else this.#end(failed({ kind: "too large", bytes: this.#reader.bodyBytes }));
    return false;
  }

  whole(isReusable: boolean): void {
    this.#wireEndedAt = this.#options.clock.now();
    if (this.#isPaused) this.#connection.resume();
    if (isReusable) this.#options.pool.give(this.#connection);
    else this.#connection.close();
    if (this.#plan?.kind === "read") this.#plan.intake.finish();
    else this.#answer(null);
  }

  broken(problem: Problem): void {
    if (this.#plan?.kind === "drain") {
      this.#answer(null);
      return;
    }
    const isStale =
      this.#connection.hasServed && !this.#reader.hasBegun && problem.kind === "interrupted";
    this.#end({ kind: "failed", problem, isStale });
  }

  pause(): void {
    if (this.#wireEndedAt > 0) return;
    this.#isPaused = true;
    this.#connection.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#windowSinceMs = this.#options.clock.now();
    this.#windowBytes = this.#reader.bodyBytes;
    if (this.#wireEndedAt === 0) this.#connection.resume();
  }

  #judgeRate(nowMs: number): void {
    const bytes = this.#reader.bodyBytes - this.#windowBytes;
    const neededBytes = (this.#options.minRateBytesPerS * (nowMs - this.#windowSinceMs)) / 1_000;
    if (bytes < neededBytes && !this.#isPaused) {
      this.#late("slow", `${bytes} bytes in 5 s`);
      return;
    }
    this.#windowSinceMs = nowMs;
    this.#windowBytes = this.#reader.bodyBytes;
  }

  #late(cause: "timeout" | "slow", detail: string): void {
    if (this.#plan?.kind === "drain") {
      this.#answer(null);
      return;
    }
    this.#end(failed({ kind: "interrupted", cause, detail }));
  }

  #answer(body: BodyEnd | null): void {
    const { head, headBytes, bodyBytes } = this.#reader;
    if (head === null) throw new Error("answered without a head");
    const endedAt = this.#wireEndedAt || this.#options.clock.now();
    this.#end({ kind: "answered", head, body, wireBytes: headBytes + bodyBytes, endedAt });
  }

  /** A connection that was not given back by now has bytes to come that nobody wants. */
  #end(end: ExchangeEnd): void {
    const settle = this.#settle;
    if (settle === null) return;
    this.#settle = null;
    if (this.#wireEndedAt === 0) this.#connection.close();
    if (this.#plan?.kind === "read") this.#plan.intake.close();
    settle(end);
  }
}

const failed = (problem: Problem | Lateness): ExchangeEnd => ({
  kind: "failed",
  problem,
  isStale: false,
});
