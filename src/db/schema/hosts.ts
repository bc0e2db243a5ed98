import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  pgEnum,
  pgTable,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

export const hostState = pgEnum("host_state", [
  "active",
  "waiting_robots",
  "backing_off",
  "parked",
  "paused",
  "dead",
  "blocked",
  "out_of_region",
]);

/** A host name: the unit of politeness. At most one live turn each in the whole cluster. */
export const hosts = pgTable(
  "hosts",
  {
    /** Four bytes: it stands in every URL and in the index that claims read. */
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull().unique(),
    /** Registrable domain; the address itself for an IP host. */
    domain: text().notNull(),
    state: hostState().notNull().default("active"),
    stateAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Why the state is as it is, for people. */
    reason: text(),
    lane: smallint().notNull().default(1),
    /** When the scheduler may give it a turn; null: nothing to come, or no turn wanted. */
    nextTurnAt: timestamp({ withTimezone: true }),
    /** Earliest next request. */
    nextFetchAt: timestamp({ withTimezone: true }),
    /** Set when a person named it or one of its URLs: what seeded scopes read. */
    seededAt: timestamp({ withTimezone: true }),
    /** The operator's own delay. */
    delayMs: integer(),
    /** Crawl-delay of robots.txt. */
    robotsDelayMs: integer(),
    /** Longer gap of a host that slows down or errs; null: none. */
    slowDelayMs: integer(),
    /** The turn lease: fence, and the worker whose heartbeat keeps it alive. */
    turnToken: uuid(),
    turnWorker: uuid(),
    turnStartedAt: timestamp({ withTimezone: true }),
    /** Consecutive failed turns; HOST_DEAD_AFTER of them: dead. */
    failures: integer().notNull().default(0),
    /** 429s and 503s with Retry-After received. */
    throttles: integer().notNull().default(0),
    urlCount: integer().notNull().default(0),
    pageCount: integer().notNull().default(0),
    byteCount: bigint({ mode: "number" }).notNull().default(0),
    /** Sites that link to it, and what they make of it, 0..1: folded in by the scheduler. */
    linkingHosts: integer().notNull().default(0),
    authority: real().notNull().default(0),
    /** Quotas of the operator; null: HOST_MAX_URLS, no limit in bytes. */
    urlsMax: integer(),
    bytesMax: bigint({ mode: "number" }),
    includePatterns: text().array(),
    excludePatterns: text().array(),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** What linking hosts have added to the priority of its waiting URLs so far. */
    priorityBoost: smallint().notNull().default(0),
    /** Of its documents that have a region score: their scores in thousandths, their number. */
    regionSum: integer().notNull().default(0),
    regionCount: integer().notNull().default(0),
  },
  (t) => [
    index("hosts_due")
      .on(t.lane, t.nextTurnAt)
      .where(sql`${t.nextTurnAt} is not null and ${t.turnToken} is null`),
    index("hosts_turns").on(t.turnWorker).where(sql`${t.turnToken} is not null`),
    index("hosts_domain").on(t.domain),
    index("hosts_seeded").on(t.seededAt).where(sql`${t.seededAt} is not null`),
    /** Those that somebody forgets; `reason` is what FORGOTTEN says. */
    index("hosts_forgotten")
      .on(t.id)
      .where(sql`${t.state} = 'paused' and ${t.reason} = 'forgotten'`),
    index("hosts_out_of_region").on(t.id).where(sql`${t.state} = 'out_of_region'`),
  ],
);

/** robots.txt as last read, by authority (scheme://name:port). */
export const robots = pgTable("robots", {
  authority: text().primaryKey(),
  hostId: integer().notNull(),
  /** Last usable answer: its status and body (empty for a 4xx). */
  status: smallint(),
  body: text(),
  etag: text(),
  lastModified: text(),
  fetchedAt: timestamp({ withTimezone: true }),
  /** Ask again after this; 24 h after a good answer, backed off after a bad one. */
  expiresAt: timestamp({ withTimezone: true }).notNull(),
  /** Consecutive failures and the last one's cause. */
  failures: integer().notNull().default(0),
  failure: text(),
});

/** The operator's blocks: a host name, or a domain with everything below it. */
export const blocks = pgTable("blocks", {
  name: text().primaryKey(),
  kind: text({ enum: ["host", "domain"] }).notNull(),
  reason: text(),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});

/**
 * The right to start requests at an address, held by one worker at a time: who holds it spaces the
 * starts by its own clock. `wantedAt` asks the holder to pass it on.
 */
export const addresses = pgTable(
  "addresses",
  {
    address: text().primaryKey(),
    holder: uuid(),
    wantedAt: timestamp({ withTimezone: true }),
    nextStartAt: timestamp({ withTimezone: true }),
  },
  (t) => [index("addresses_wanted").on(t.holder).where(sql`${t.wantedAt} is not null`)],
);
