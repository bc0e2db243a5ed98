import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/**
 * Sitemaps and feeds whose URLs there was no room for: at this host, or (an empty name) in the
 * whole frontier. They are read again as soon as there is.
 */
export const refusedSitemaps = pgTable(
  "refused_sitemaps",
  {
    host: text().notNull(),
    sitemapId: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.host, t.sitemapId] })],
);
