import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** What is asked for, by day and by nobody: sums alone, of what was asked more than a few times. */
export const queryStats = pgTable(
  "query_stats",
  {
    day: date().notNull(),
    query: text().notNull(),
    requests: integer().notNull(),
    /** Of these that found nothing. */
    empty: integer().notNull(),
    /** Of these that took long. */
    slow: integer().notNull(),
    slowestMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.query] })],
);
