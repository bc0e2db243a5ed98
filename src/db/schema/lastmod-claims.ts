import { bigint, integer, pgTable, primaryKey } from "drizzle-orm/pg-core";

/**
 * Some of the URLs that a sitemap says have changed since their last visit, with what was counted
 * of them by then: their next visit shows whether it is true. Few of each sitemap.
 */
export const lastmodClaims = pgTable(
  "lastmod_claims",
  {
    sitemapId: integer().notNull(),
    urlId: bigint({ mode: "number" }).notNull(),
    visits: integer().notNull(),
    changes: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sitemapId, t.urlId] })],
);
