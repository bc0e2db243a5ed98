import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  pgEnum,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

export const sitemapKind = pgEnum("sitemap_kind", ["sitemap", "feed"]);

/** Who named it first. */
export const sitemapOrigin = pgEnum("sitemap_origin", ["robots", "link", "index", "seed"]);

/** Sitemaps and feeds: what a host is asked for to learn of its URLs. */
export const sitemaps = pgTable(
  "sitemaps",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** First 128 bits of sha256 of the canonical URL. */
    key: uuid().notNull().unique(),
    hostId: integer().notNull(),
    url: text().notNull(),
    kind: sitemapKind().notNull(),
    origin: sitemapOrigin().notNull(),
    /** Indexes above it. */
    depth: smallint().notNull().default(0),
    /** Redirects that led here in a row. */
    hops: smallint().notNull().default(0),
    foundAt: timestamp({ withTimezone: true }).notNull().default(sql`clock_timestamp()`),
    /** When it is asked for again; null: no more. */
    nextFetchAt: timestamp({ withTimezone: true }),
    /** Last answer that could be read, or 304. */
    fetchedAt: timestamp({ withTimezone: true }),
    etag: text(),
    lastModified: text(),
    /** First 128 bits of sha256 of its bytes. */
    bodyHash: uuid(),
    /** Seconds between two looks; null: not read yet. */
    intervalS: integer(),
    /** Looks in a row that came to nothing; one that is under way counts, should it never end. */
    failures: integer().notNull().default(0),
    /** What was wrong at the last look, if only with a part of it. */
    reason: text(),
    /** URLs or sitemaps that it named at the last reading. */
    entries: integer(),
    /** URLs that came into the frontier by it. */
    admitted: bigint({ mode: "number" }).notNull().default(0),
    /** Of its lastmods that visits could judge: those that told the truth, and the others. */
    lastmodRight: smallint().notNull().default(0),
    lastmodWrong: smallint().notNull().default(0),
  },
  (t) => [
    index("sitemaps_due").on(t.hostId, t.nextFetchAt).where(sql`${t.nextFetchAt} is not null`),
    index("sitemaps_host").on(t.hostId, t.kind, t.id),
  ],
);
