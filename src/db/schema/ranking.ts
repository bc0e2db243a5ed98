import { boolean, pgTable, real, text, timestamp } from "drizzle-orm/pg-core";

/** Weights of signals that an admin saved; what is not here is as configured. */
export const rankingSignals = pgTable("ranking_signals", {
  signal: text().primaryKey(),
  enabled: boolean().notNull(),
  weight: real().notNull(),
  changedBy: text().notNull(),
  changedAt: timestamp({ withTimezone: true }).notNull(),
});

/** Hosts that an admin raised or lowered, with all below them. */
export const hostFactors = pgTable("host_factors", {
  host: text().primaryKey(),
  factor: text({ enum: ["muchLower", "lower", "raise", "muchRaise"] }).notNull(),
  changedBy: text().notNull(),
  changedAt: timestamp({ withTimezone: true }).notNull(),
});
