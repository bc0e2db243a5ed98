/** What one request came to. Closed: a switch over `kind` ends in `outcome satisfies never`. */
export type Outcome =
  | Fetched
  /** 304 to a conditional request. */
  | { kind: "unchanged"; headers: ResponseHeaders; timing: Timing }
  | Redirected
  /** 429, or 503 with Retry-After: counts on the host. `retryAfterMs` is null when not said. */
  | { kind: "throttled"; status: number; retryAfterMs: number | null; timing: Timing }
  /** 404 and 410. */
  | { kind: "gone"; status: 404 | 410; timing: Timing }
  /** 408, 425, 500, 502, 503 without Retry-After, 504, 520-529: transient on the URL. */
  | { kind: "unavailable"; status: number; timing: Timing }
  /** Any other status that is no success: permanent. */
  | { kind: "rejected"; status: number; timing: Timing }
  /** The guard said no before any connection to the refused place. */
  | { kind: "refused"; reason: RefusedReason; detail: string }
  /** Counts on the host, never on the URL. */
  | { kind: "unreachable"; cause: "dns" | "connect" | "tls"; detail: string }
  /** After connecting: transient on the URL. */
  | { kind: "interrupted"; cause: "timeout" | "slow" | "reset" | "truncated"; detail: string }
  /** Larger than the cap, on the wire or decoded; or headers over their cap. */
  | { kind: "too large"; bytes: number }
  /** Not HTTP, or a body that cannot be decoded. */
  | { kind: "malformed"; detail: string }
  /** A type that is not asked for; its body was not downloaded. */
  | { kind: "unsupported"; contentType: string }
  /** No slot at the address within the wait, or no descriptor to connect; nothing was sent. */
  | { kind: "no slot" }
  /** The caller's signal fired. */
  | { kind: "aborted" };

export interface Fetched {
  kind: "fetched";
  status: number;
  headers: ResponseHeaders;
  /** Decoded bytes, owned by the caller (may be transferred to a thread); none: a sink had them. */
  body: Uint8Array;
  /** Bytes on the wire. */
  wireBytes: number;
  /** Essence of Content-Type after sniffing, e.g. `text/html`. */
  contentType: string;
  /** charset parameter of Content-Type, lower case. */
  charset: string | null;
  address: string;
  timing: Timing;
}

export interface Redirected {
  kind: "redirected";
  status: number;
  /** Absolute and already resolved; null when the header is missing or unusable. */
  location: string | null;
  /** What the answer sets, as a Cookie header sends it back; null: nothing. */
  cookies: string | null;
  timing: Timing;
}

/** Milliseconds since the epoch. */
export interface Timing {
  startedAt: number;
  endedAt: number;
}

export type RefusedReason = "scheme" | "credentials" | "port" | "address" | "host" | "url";

/** What the crawl reads of an answer's header, parsed once. */
export interface ResponseHeaders {
  etag: string | null;
  lastModified: string | null;
  /** Cache-Control: max-age in seconds (0 for no-store and no-cache), null when not said. */
  maxAgeS: number | null;
  /** Values of every X-Robots-Tag line. */
  robotsTag: readonly string[];
  contentLanguage: string | null;
  /** `tdm-reservation` header, if any. */
  tdmReservation: string | null;
  /** HTTP `Link: <...>; rel="canonical"`, absolute. */
  canonical: string | null;
}

export interface FetchRequest {
  url: string;
  /** Answers validators for a conditional GET. */
  validators?: { etag: string | null; lastModified: string | null };
  /** Sent with this one request; a hop that is followed never carries it. */
  cookies?: string;
  accept: AcceptKind;
  /** Gets the body while it arrives, in place of the outcome. */
  sink?: BodySink;
  /** Cap on decoded bytes; bytes on the wire are capped by the same number. */
  bytesMax: number;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Right to one request at the checked address; null: none to be had, nothing is sent. */
  slot: (address: string, signal?: AbortSignal) => Promise<Slot | null>;
}

/** Takes a body piece by piece; what it cannot take fast waits on the wire. */
export interface BodySink {
  /** An answer with a body begins; once more, should the request have to be sent again. */
  begin(charset: string | null): void;
  /**
   * Decoded bytes, given away. `wait`: no more before `ready` is called, though what is under way
   * still comes; `stop`: the rest is not wanted, and what came is the whole.
   */
  take(bytes: Uint8Array): "more" | "wait" | "stop";
  /** Set by the request. */
  ready: () => void;
}

/**
 * page: html, xhtml, text, pdf, feeds, sitemaps. robots, sitemap: any type, cut at bytesMax. any:
 * no check.
 */
export type AcceptKind = "page" | "robots" | "sitemap" | "any";

/** What is worth reading though it has no end. */
export const isCutAtMax = (accept: AcceptKind): boolean =>
  accept === "robots" || accept === "sitemap";

/** The right to one request at an address. */
export interface Slot {
  /**
   * Asked right before a request is written: a process that was frozen since has lost the right.
   */
  mayStart(): boolean;
  /** The request has been written: spacing counts from here. */
  sent(): void;
  /** The answer is over, or nothing was sent; safe to call twice. */
  release(): void;
}
