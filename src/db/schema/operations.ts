import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

/** A living process; a turn lease lives as long as its worker's heartbeat. */
export const workers = pgTable("workers", {
  id: uuid().primaryKey(),
  hostname: text().notNull(),
  pid: integer().notNull(),
  roles: text().array().notNull(),
  startedAt: timestamp({ withTimezone: true }).notNull(),
  beatAt: timestamp({ withTimezone: true }).notNull(),
  /** Given up as dead: its leases are free, and it never lives again under this id. */
  lostAt: timestamp({ withTimezone: true }),
  /** parts and crawl state as this process sees them; see crawl/health.ts. */
  report: jsonb(),
});

/** Sums kept by increments: accepted, removed, admitted.<origin>, crawled, refused.<reason>. */
export const counters = pgTable(
  "counters",
  {
    name: text().notNull(),
    shard: integer().notNull(),
    value: bigint({ mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.shard] })],
);

export const submissions = pgTable(
  "submissions",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    url: text().notNull(),
    key: uuid().notNull().unique(),
    state: text({ enum: ["review", "accepted", "refused"] }).notNull(),
    /** Why it could not simply be queued. */
    reason: text(),
    submittedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    decidedAt: timestamp({ withTimezone: true }),
    decidedBy: text(),
  },
  (t) => [index("submissions_state").on(t.state, t.submittedAt)],
);

export const accounts = pgTable("accounts", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull().unique(),
  role: text({ enum: ["admin", "viewer"] }).notNull(),
  passwordHash: text().notNull(),
  /** sha256 hex of the API token. */
  tokenHash: text().unique("accounts_token_hash_unique"),
  lang: text(),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});

export const sessions = pgTable(
  "sessions",
  {
    /** sha256 hex of the cookie's value. */
    idHash: text().primaryKey(),
    accountId: bigint({ mode: "number" }).notNull(),
    csrf: text().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("sessions_account").on(t.accountId), index("sessions_expiry").on(t.expiresAt)],
);

export const audit = pgTable(
  "audit",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Account name, or `cli`. */
    actor: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    detail: jsonb(),
  },
  (t) => [index("audit_at").on(t.at)],
);
