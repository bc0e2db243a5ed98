import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

export const urlState = pgEnum("url_state", [
  "pending",
  "in_progress",
  "done",
  "failed",
  "blocked",
]);

/** How a URL first came to be known. */
export const urlOrigin = pgEnum("url_origin", [
  "seed",
  "submission",
  "link",
  "redirect",
  "canonical",
  "sitemap",
  "feed",
  "collector",
]);

/**
 * The frontier: every admitted URL. Columns that a first visit fills are null until then, and free.
 * Wide columns stand first: in this order a row of a 70-character URL takes 180 bytes, not 188.
 */
export const urls = pgTable(
  "urls",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** First 128 bits of sha256 of the canonical URL. */
    key: uuid().notNull().unique(),
    nextCrawlAt: timestamp({ withTimezone: true }),
    admittedAt: timestamp({ withTimezone: true }).notNull().default(sql`clock_timestamp()`),
    hostId: integer().notNull(),
    via: urlOrigin().notNull(),
    state: urlState().notNull().default("pending"),
    visits: integer().notNull().default(0),
    changes: integer().notNull().default(0),
    /** 0..255, higher first. */
    priority: smallint().notNull().default(100),
    depth: smallint().notNull().default(0),
    /** Redirects that led here in a row. */
    hops: smallint().notNull().default(0),
    /** Transient failures in a row. */
    attempts: smallint().notNull().default(0),
    /** Turns in a row that died while fetching it. */
    crashes: smallint().notNull().default(0),
    /** 404s and 410s in a row. */
    misses: smallint().notNull().default(0),
    url: text().notNull(),
    /** The token of the host turn that has claimed it. */
    leaseToken: uuid(),
    claimedAt: timestamp({ withTimezone: true }),
    fetchingAt: timestamp({ withTimezone: true }),
    /** Why it is done, failed or blocked, or what the last transient error was. */
    reason: text(),
    status: smallint(),
    visitedAt: timestamp({ withTimezone: true }),
    /** First success; `crawled` counts these. */
    crawledAt: timestamp({ withTimezone: true }),
    /**
     * Recrawl interval in seconds; null: no document. Negative while visits end in failed: minus
     * the interval of its revisits.
     */
    intervalS: integer(),
    etag: text(),
    lastModified: text(),
    /** Of the main text as last seen, by which changes are told; null: no document. */
    contentHash: uuid(),
    /** The URL that owns the same content, or that a canonical or redirect points at. */
    targetId: bigint({ mode: "number" }),
  },
  (t) => [
    index("urls_claim")
      .on(t.hostId, t.priority.desc().nullsFirst(), t.nextCrawlAt, t.id)
      .where(sql`${t.state} = 'pending'`),
    index("urls_leased").on(t.leaseToken).where(sql`${t.state} = 'in_progress'`),
    /** done and failed that are looked at again. */
    index("urls_revisit")
      .on(t.nextCrawlAt)
      .where(sql`${t.state} in ('done', 'failed') and ${t.nextCrawlAt} is not null`),
    index("urls_target").on(t.targetId).where(sql`${t.targetId} is not null`),
    /** What the console lists of one host, and of all. */
    index("urls_host_settled")
      .on(t.hostId, t.state, t.id)
      .where(sql`${t.state} in ('done', 'failed', 'blocked')`),
    index("urls_settled").on(t.state, t.id).where(sql`${t.state} in ('done', 'failed', 'blocked')`),
    check("urls_pending_due", sql`${t.state} <> 'pending' or ${t.nextCrawlAt} is not null`),
    check("urls_leased_state", sql`(${t.state} = 'in_progress') = (${t.leaseToken} is not null)`),
  ],
);
