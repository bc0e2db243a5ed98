import type { Clock } from "../clock.ts";
import type { ActionResult } from "../crawl/move-url.ts";
import type { documents, visits } from "../db/schema/documents.ts";
import type { hosts, robots } from "../db/schema/hosts.ts";
import type { accounts, audit, submissions } from "../db/schema/operations.ts";
import type { sitemaps } from "../db/schema/sitemaps.ts";
import type { urls } from "../db/schema/urls.ts";
import type { NewSession, SessionRecord } from "../db/sessions.ts";
import type { ActivityBucket } from "../db/stats.ts";
import type { TrapsOfHost } from "../db/traps.ts";
import type { HostVisit } from "../db/visits.ts";
import type { Delay } from "../frontier/politeness.ts";
import type { Log } from "../log.ts";
import type { LoopLag } from "../loop-lag.ts";
import type { RankingDeps } from "./ranking-deps.ts";
import type { Status } from "./status-json.ts";

/**
 * Everything that the web server asks of the rest of the program, as functions. `cli` ties them to
 * `db` and `crawl`; tests to memory. A rejection means lost infrastructure and is answered by 503.
 */
export interface HttpDeps {
  clock: Clock;
  log: Log;
  settings: HttpSettings;
  /** GET /status; resolves even when parts are down. */
  status(): Promise<Status>;
  /** Of this process, over the last minute; null before the first tick. */
  loopLag(): LoopLag | null;
  overview: OverviewReads;
  hosts: HostReads & HostActions;
  urls: UrlReads & UrlActions;
  submissions: SubmissionDeps;
  ranking: RankingDeps;
  accounts: AccountDeps;
  audit: AuditDeps;
}

export interface HttpSettings {
  version: string;
  publicUrl: string | null;
  apiToken: string | null;
  trustedProxies: readonly string[];
  rateLimitPerS: number;
  submit: "review" | "open" | "off";
  /** URLs known of a host without a quota of its own, at most. */
  hostUrlsMax: number;
  /** Settings as in effect, secrets masked already. */
  shown: readonly ShownSetting[];
}

export interface ShownSetting {
  group: string;
  name: string;
  /** Empty: unset. */
  value: string;
  fallback: string;
  meaning: string;
}

/** One page of a list. `total` is null where counting would cost too much. */
export interface Slice<Row> {
  rows: Row[];
  hasMore: boolean;
  total: number | null;
}

export type UrlState = (typeof urls.$inferSelect)["state"];
export type HostState = (typeof hosts.$inferSelect)["state"];
export type Role = (typeof accounts.$inferSelect)["role"];

// --- overview -----------------------------------------------------------------------------------

export interface OverviewReads {
  /** Visits settled since a moment, by buckets of `ACTIVITY_BUCKET_S`; empty buckets may miss. */
  activity(since: Date): Promise<ActivityBucket[]>;
  /** Of the visits of the last minutes; null when there were none. */
  fetchTimes(): Promise<{ p50: number; p95: number } | null>;
  hostsByState(): Promise<Record<HostState, number>>;
  /** Law of conservation: accepted = sum of states + removed. */
  conservation(): Promise<{ accepted: number; present: number; removed: number }>;
}

export const ACTIVITY_BUCKET_S = 10;

// --- hosts --------------------------------------------------------------------------------------

export const HOST_SORTS = [
  "name",
  "state",
  "next",
  "pages",
  "urls",
  "authority",
  "links",
  "throttles",
] as const;

export interface HostFilter {
  /** Part of the name. */
  text: string | null;
  state: HostState | null;
  sort: (typeof HOST_SORTS)[number];
  order: "asc" | "desc";
  /** From 1. */
  page: number;
  perPage: number;
}

export type HostRow = typeof hosts.$inferSelect;

export interface HostReads {
  list(filter: HostFilter): Promise<Slice<HostRow>>;
  read(id: number): Promise<HostDetail | null>;
  /** The gap that a host is given, and which rule asked for it. */
  delayOf(host: HostRow): Delay;
}

export interface HostDetail {
  host: HostRow;
  robots: (typeof robots.$inferSelect)[];
  traps: TrapsOfHost;
  /** Sitemaps and feeds, at most 50. */
  sitemaps: (typeof sitemaps.$inferSelect)[];
  /** What the rules in force say of the host's front page. */
  verdict: "allowed" | "disallowed" | "waiting" | "unknown";
  urlsByState: Record<UrlState, number>;
  documents: number;
  /** 0..1, of its documents; null: none of them was scored. */
  regionScore: number | null;
  /** Newest first, at most 200. */
  visits: HostVisit[];
}

/** Null: the setting of URLs, no limit in bytes. */
export type HostQuota = Pick<HostRow, "urlsMax" | "bytesMax">;

/** Each action audits itself, under the actor's name. */
export interface HostActions {
  pause(id: number, actor: string): Promise<ActionResult>;
  resume(id: number, actor: string): Promise<ActionResult>;
  block(id: number, actor: string): Promise<ActionResult>;
  unblock(id: number, actor: string): Promise<ActionResult>;
  /** Null: back to the setting. */
  setDelay(id: number, delayMs: number | null, actor: string): Promise<ActionResult>;
  setQuota(id: number, quota: HostQuota, actor: string): Promise<ActionResult>;
  crawlNow(id: number, actor: string): Promise<ActionResult>;
  /** Forgets what was learned of its traps. */
  liftTraps(id: number, actor: string): Promise<ActionResult>;
  /** Removes the host's URLs, documents and rules. */
  forget(id: number, actor: string): Promise<ActionResult>;
}

// --- URLs ---------------------------------------------------------------------------------------

export const URL_SORTS = ["newest", "oldest", "priority", "next", "visited"] as const;

export interface UrlFilter {
  state: UrlState | null;
  /** Exact host name. */
  host: string | null;
  /** Exact reason. */
  reason: string | null;
  sort: (typeof URL_SORTS)[number];
  page: number;
  perPage: number;
}

export type UrlRow = typeof urls.$inferSelect;
export type UrlListRow = UrlRow & { host: string };
export type VisitRow = typeof visits.$inferSelect;
/** With the length of its text, which is packed in the row. */
export type DocumentRow = Omit<typeof documents.$inferSelect, "text"> & {
  readonly characters: number;
};

export interface UrlReads {
  list(filter: UrlFilter): Promise<Slice<UrlListRow>>;
  read(id: number): Promise<UrlDetail | null>;
  /** Everything known of one URL, as `trawl explain` prints it; null for one never admitted. */
  explain(url: string): Promise<Record<string, unknown> | null>;
}

export interface UrlDetail {
  url: UrlListRow;
  document: DocumentRow | null;
  target: { id: number; url: string } | null;
  /** Newest first, at most 50. */
  visits: VisitRow[];
}

export interface UrlActions {
  retry(id: number, actor: string): Promise<ActionResult>;
  drop(id: number, actor: string): Promise<ActionResult>;
  crawlNow(id: number, actor: string): Promise<ActionResult>;
}

// --- submissions, accounts, audit ---------------------------------------------------------------

export type SubmissionRow = typeof submissions.$inferSelect;
export const SUBMISSION_STATES = ["review", "accepted", "refused"] as const;

export interface SubmissionDeps {
  list(filter: {
    state: SubmissionRow["state"];
    page: number;
    perPage: number;
  }): Promise<Slice<SubmissionRow>>;
  decide(id: number, decision: "accepted" | "refused", actor: string): Promise<ActionResult>;
}

export type AccountRow = typeof accounts.$inferSelect;

export interface AccountDeps {
  list(): Promise<AccountRow[]>;
  byName(name: string): Promise<AccountRow | null>;
  /** Hashes are sha256 in hex. */
  byTokenHash(tokenHash: string): Promise<SessionRecord["account"] | null>;
  session(idHash: string): Promise<SessionRecord | null>;
  createSession(session: NewSession): Promise<void>;
  /** New id for the same session; the old one stays good until `oldExpiresAt`. */
  rotateSession(oldIdHash: string, next: NewSession, oldExpiresAt: Date): Promise<void>;
  endSession(idHash: string): Promise<void>;
}

export type AuditRow = typeof audit.$inferSelect;

export interface AuditDeps {
  record(entry: {
    actor: string;
    action: string;
    subject: string;
    detail?: Record<string, unknown>;
  }): Promise<void>;
  list(filter: {
    actor: string | null;
    action: string | null;
    page: number;
    perPage: number;
  }): Promise<Slice<AuditRow>>;
}
