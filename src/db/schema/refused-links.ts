import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/**
 * Pages whose links there was no room for: at this host, or (an empty name) in the whole frontier.
 * They are read again as soon as there is.
 */
export const refusedLinks = pgTable(
  "refused_links",
  {
    host: text().notNull(),
    urlId: bigint({ mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.host, t.urlId] })],
);
