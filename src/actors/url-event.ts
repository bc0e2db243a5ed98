import type { urls } from "../db/schema/urls.ts";

type Row = typeof urls.$inferSelect;

export type UrlState = Row["state"];

/** The columns of a URL that its life changes: the context of its machine. */
export type UrlColumns = Pick<
  Row,
  | "nextCrawlAt"
  | "priority"
  | "hops"
  | "attempts"
  | "crashes"
  | "misses"
  | "leaseToken"
  | "claimedAt"
  | "fetchingAt"
  | "reason"
  | "status"
  | "visits"
  | "changes"
  | "visitedAt"
  | "crawledAt"
  | "intervalS"
  | "etag"
  | "lastModified"
  | "contentHash"
  | "targetId"
>;

/** What the machine reads and never changes. */
export type UrlIdentity = Pick<Row, "url" | "depth">;

/** As much of a row as a step needs; any whole row fits. */
export type UrlRow = UrlIdentity & UrlColumns & { state: UrlState };

/** Why a URL is done: it was answered, and there is nothing of its own to index. */
export type DoneReason =
  | "robots"
  | "redirected"
  | "duplicate"
  | "noindex"
  | "canonical"
  | "not a page"
  /** One of many URLs that bring nothing new, or the same page as another one. */
  | "pattern cut"
  | "same page"
  | "collected";

/** Why a claim is given back with nothing counted. */
export type ReleaseReason = "too early" | "host unavailable" | "part unavailable" | "turn over";

/** What happens to a URL. Closed, past tense. */
export type UrlEvent =
  | { type: "admitted"; priority: number }
  | { type: "collected" }
  | { type: "claimed"; token: string }
  /** `notBefore`: it comes after its siblings. */
  | { type: "released"; reason: ReleaseReason; notBefore?: Date }
  | {
      type: "succeeded";
      /** The main text differs from the last one. */
      changed: boolean;
      status: number;
      etag: string | null;
      lastModified: string | null;
      /** Of the main text, however short. */
      contentHash: string | null;
    }
  /** 304; a validator that it brings replaces the one we have. */
  | { type: "not modified"; etag?: string | null; lastModified?: string | null }
  | { type: "failed transiently"; reason: string; status?: number }
  /** 404. */
  | { type: "not found" }
  /** 410. */
  | { type: "gone" }
  /** `target`: what a redirect or canonical points at; `targetId`: its row, if known. */
  | {
      type: "settled";
      reason: DoneReason;
      status?: number;
      target?: string;
      targetId?: number;
    }
  | { type: "failed permanently"; reason: string; status?: number }
  /** `fetching`: this very URL was being fetched. */
  | { type: "worker died"; fetching: boolean }
  | { type: "lease expired"; fetching: boolean }
  | { type: "host blocked" }
  | { type: "host unblocked" }
  | { type: "submitted again"; priority: number }
  | { type: "operator retried" }
  | { type: "came due" }
  | { type: "crawl now" }
  /** By an operator, alone or with its host. */
  | { type: "dropped" }
  /** The page that this duplicate or canonical points at is not in the index. */
  | { type: "target left" };

/** What has to be done outside when a step is settled; in the order given. */
export type UrlEffect =
  /** The document leaves index and store; there may be none. */
  | { type: "remove document" }
  /** Another URL may own this main text from now on. */
  | { type: "free content"; contentHash: string }
  /** Rows whose target this URL is hear `target left`. */
  | { type: "wake dependants" }
  /** The same for those alone that have the main text which this URL had. */
  | { type: "wake duplicates" }
  /**
   * It ended and has no document: those hear `target left` that count on it and, by it, on nothing;
   * it may be one of them.
   */
  | { type: "wake stranded" }
  /** A candidate, with the source's depth and priority. */
  | {
      type: "admit target";
      url: string;
      via: "redirect" | "canonical";
      depth: number;
      hops: number;
      priority: number;
    }
  /** The URL is due now: its host gets a turn. */
  | { type: "wake host"; lane: 0 | 1 };

/** Time (epoch ms), chance (0..1) and settings of one step. */
export interface StepEnv {
  readonly now: number;
  readonly random: number;
  readonly config: {
    readonly retryBaseMs: number;
    readonly recrawlMinMs: number;
    readonly recrawlMaxMs: number;
  };
}

/** An event as the machine gets it: with the circumstances that decisions need. */
export type StampedEvent = Stamped<UrlEvent>;

type Stamped<E> = E extends UrlEvent ? E & { env: StepEnv } : never;

/** What a transition is computed from: the row as it was, and what it heard. */
export interface Heard<T extends UrlEvent["type"] = UrlEvent["type"]> {
  context: UrlIdentity & UrlColumns;
  event: StampedEvent & { type: T };
}
