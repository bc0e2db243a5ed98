import { CODINGS_MAX } from "./body.ts";
import { cookiesOf } from "./cookies.ts";
import type { Coding } from "./decode.ts";
import { fieldValue, type ResponseHead } from "./head.ts";
import {
  type ContentType,
  codingsOf,
  contentTypeOf,
  locationOf,
  readHeaders,
  retryAfterMs,
} from "./headers.ts";
import { type AcceptKind, isCutAtMax, type Outcome, type Timing } from "./outcome.ts";
import { judgeDeclared } from "./sniff.ts";

export interface Question {
  /** URL asked for, the base of what the answer refers to. */
  href: string;
  accept: AcceptKind;
  bytesMax: number;
  isConditional: boolean;
}

/** What the head of an answer says about the rest. */
export type Verdict =
  /** The outcome is known; a short body is read past when the connection is worth it. */
  | { kind: "known"; outcome: (timing: Timing) => Outcome; mayDrain: boolean }
  | { kind: "body"; codings: readonly Coding[]; type: ContentType; lengthHint: number };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const UNAVAILABLE: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504]);

/** @param now milliseconds since the epoch, for a Retry-After that is a date */
export function judgeHead(head: ResponseHead, question: Question, now: number): Verdict {
  const { status } = head;
  if (status >= 200 && status < 300 && status !== 206) return judgeSuccess(head, question);
  if (status === 304 && question.isConditional) {
    const headers = readHeaders(head, question.href);
    return drained((timing) => ({ kind: "unchanged", headers, timing }));
  }
  if (REDIRECTS.has(status)) {
    const location = locationOf(head, question.href);
    const cookies = cookiesOf(head, now);
    return drained((timing) => ({ kind: "redirected", status, location, cookies, timing }));
  }
  if (status === 404 || status === 410) {
    return drained((timing) => ({ kind: "gone", status, timing }));
  }
  const retryAfter = fieldValue(head, "retry-after");
  if (status === 429 || (status === 503 && retryAfter !== null)) {
    const waitMs = retryAfterMs(retryAfter, now);
    return drained((timing) => ({ kind: "throttled", status, retryAfterMs: waitMs, timing }));
  }
  // 304 to a question without condition is a cache that errs: the next try may go past it
  const isTransient = UNAVAILABLE.has(status) || status === 304 || (status >= 520 && status < 530);
  if (isTransient) return drained((timing) => ({ kind: "unavailable", status, timing }));
  return drained((timing) => ({ kind: "rejected", status, timing }));
}

function judgeSuccess(head: ResponseHead, question: Question): Verdict {
  const type = contentTypeOf(head);
  if (question.accept === "page" && judgeDeclared(type.essence) === "other") {
    return stopped({ kind: "unsupported", contentType: type.essence ?? "" });
  }
  const codings = codingsOf(head);
  if (codings === null) return stopped({ kind: "malformed", detail: "unknown content-encoding" });
  if (codings.length > CODINGS_MAX) {
    return stopped({ kind: "malformed", detail: "content-encoding in too many layers" });
  }
  const lengthHint = head.framing.kind === "length" ? head.framing.bytes : 0;
  if (lengthHint > question.bytesMax && !isCutAtMax(question.accept)) {
    return stopped({ kind: "too large", bytes: lengthHint });
  }
  return { kind: "body", codings, type, lengthHint };
}

const drained = (outcome: (timing: Timing) => Outcome): Verdict => ({
  kind: "known",
  outcome,
  mayDrain: true,
});

const stopped = (outcome: Outcome): Verdict => ({
  kind: "known",
  outcome: () => outcome,
  mayDrain: false,
});
