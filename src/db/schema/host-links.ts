import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  timestamp,
} from "drizzle-orm/pg-core";

/** Which host has followed links to which, of another domain: what authority is computed from. */
export const hostLinks = pgTable(
  "host_links",
  {
    fromHost: integer().notNull(),
    toHost: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.fromHost, t.toHost] }), index("host_links_to").on(t.toHost)],
);

/** One row: is what hosts are ranked by still the links as they are? */
export const hostRanking = pgTable(
  "host_ranking",
  {
    id: smallint().primaryKey().default(1),
    /** Counts transactions that have changed links. */
    changes: bigint({ mode: "number" }).notNull().default(0),
    /** So many of them are in the ranking. */
    ranked: bigint({ mode: "number" }).notNull().default(0),
    rankedAt: timestamp({ withTimezone: true }),
  },
  (t) => [check("host_ranking_one", sql`${t.id} = 1`)],
);
