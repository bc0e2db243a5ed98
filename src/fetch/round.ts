import { judgeHead, type Verdict } from "./answer.ts";
import { BodyIntake } from "./body.ts";
import type { Connection, Endpoint } from "./connect.ts";
import { DRAINED_BYTES_MAX, Exchange, type ExchangeEnd, type Plan } from "./exchange.ts";
import type { Target } from "./guard.ts";
import type { ResponseHead } from "./head.ts";
import { type ContentType, readHeaders } from "./headers.ts";
import type { FetchOptions } from "./options.ts";
import { type FetchRequest, isCutAtMax, type Outcome } from "./outcome.ts";
import type { Pool } from "./pool.ts";
import { requestBytes } from "./request.ts";
import { sniffPage } from "./sniff.ts";

/** One question at one checked address, from the first byte sent to what the answer came to. */
export class Round {
  readonly request: FetchRequest;
  readonly endpoint: Endpoint;
  readonly deadlineMs: number;
  readonly #target: Target;
  readonly #options: FetchOptions;
  readonly #pool: Pool;
  readonly #startedAt: number;
  #verdict: Verdict | null = null;
  #contentType = "";

  constructor(
    address: string,
    target: Target,
    request: FetchRequest,
    options: FetchOptions,
    pool: Pool,
  ) {
    this.request = request;
    this.endpoint = { address, port: target.port, tlsName: target.isSecure ? target.host : null };
    this.#target = target;
    this.#options = options;
    this.#pool = pool;
    this.#startedAt = options.clock.now();
    this.deadlineMs = this.#startedAt + request.timeoutMs;
  }

  /** Sends the question; may be done again on a fresh connection when the kept one was stale. */
  begin(connection: Connection): Exchange {
    const { clock, headerBytesMax, headTimeoutMs, minRateBytesPerS, userAgent } = this.#options;
    const question = requestBytes(this.#target, this.request, userAgent);
    const exchange: Exchange = new Exchange(connection, question, {
      clock,
      pool: this.#pool,
      headerBytesMax,
      headTimeoutMs,
      minRateBytesPerS,
      deadlineMs: this.deadlineMs,
      plan: (head) => this.#plan(head, () => exchange),
    });
    return exchange;
  }

  outcome(end: ExchangeEnd): Outcome {
    if (end.kind === "aborted") return end;
    if (end.kind === "failed") return end.problem;
    const verdict = this.#verdict;
    const timing = { startedAt: this.#startedAt, endedAt: end.endedAt };
    if (verdict?.kind === "known") return verdict.outcome(timing);
    if (verdict === null || end.body === null) throw new Error("an answer without a verdict");
    const { body } = end;
    switch (body.kind) {
      case "whole":
        return {
          kind: "fetched",
          status: end.head.status,
          headers: readHeaders(end.head, this.#target.href),
          body: body.bytes,
          wireBytes: end.wireBytes,
          contentType: this.#contentType,
          charset: verdict.type.charset,
          address: this.endpoint.address,
          timing,
        };
      case "unwanted":
        return { kind: "unsupported", contentType: this.#contentType };
      case "truncated":
        return { kind: "interrupted", cause: "truncated", detail: body.detail };
      case "too large":
      case "malformed":
        return body;
      default:
        throw new Error(`no such body: ${body satisfies never}`);
    }
  }

  #plan(head: ResponseHead, exchange: () => Exchange): Plan {
    const { accept, bytesMax, validators } = this.request;
    const isConditional = (validators?.etag ?? validators?.lastModified ?? null) !== null;
    const question = { href: this.#target.href, accept, bytesMax, isConditional };
    const verdict = judgeHead(head, question, this.#options.clock.now());
    this.#verdict = verdict;
    if (verdict.kind === "known") {
      return { kind: verdict.mayDrain && isSoonOver(head) ? "drain" : "stop" };
    }
    const isCut = isCutAtMax(accept);
    this.request.sink?.begin(verdict.type.charset);
    const intake = new BodyIntake({
      codings: verdict.codings,
      bytesMax,
      isCut,
      lengthHint: verdict.lengthHint,
      sink: this.request.sink ?? null,
      judge: (first) => this.#judge(verdict.type, first),
      pause: () => exchange().pause(),
      resume: () => exchange().resume(),
    });
    return { kind: "read", intake, bytesMax, isCut };
  }

  #judge({ essence, charset }: ContentType, first: Uint8Array): boolean {
    if (this.request.accept !== "page" && essence !== null) {
      this.#contentType = essence;
      return true;
    }
    const sniffed = sniffPage(essence, charset, first);
    this.#contentType = sniffed.contentType;
    return sniffed.isPage || this.request.accept !== "page";
  }
}

/** Whether reading past the body is worth the connection. */
function isSoonOver({ framing, isPersistent }: ResponseHead): boolean {
  return isPersistent && (framing.kind !== "length" || framing.bytes <= DRAINED_BYTES_MAX);
}
