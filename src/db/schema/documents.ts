import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { PackedText } from "../../text/packed.ts";
import type { RegionEvidence } from "../../text/region/score.ts";

/** As text/packed.ts makes it: the store is told not to compress it a second time. */
const packedText = customType<{ data: PackedText; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** What was understood from a page; `reindex` rebuilds the index from these rows alone. */
export const documents = pgTable("documents", {
  urlId: bigint({ mode: "number" }).primaryKey(),
  title: text().notNull(),
  description: text().notNull(),
  lang: text(),
  headings: text().notNull(),
  text: packedText().notNull(),
  contentHash: uuid(),
  simhash: bigint({ mode: "bigint" }),
  linkDensity: real().notNull(),
  linkCount: integer().notNull(),
  noarchive: boolean().notNull().default(false),
  noai: boolean().notNull().default(false),
  publishedAt: timestamp({ withTimezone: true }),
  /** When this content was fetched. */
  crawledAt: timestamp({ withTimezone: true }).notNull(),
  indexedAt: timestamp({ withTimezone: true }).notNull(),
  /** In thousandths, so that sums of it are exact; null: there was no region then. */
  regionScore: smallint(),
  /** How the score came about, and which places of the region are named. */
  region: jsonb().$type<{ signals: readonly RegionEvidence[]; locations: readonly string[] }>(),
  category: text(),
});

/** Which URL of several with the same main text stays in the index. */
export const contentOwners = pgTable(
  "content_owners",
  {
    contentHash: uuid().primaryKey(),
    urlId: bigint({ mode: "number" }).notNull(),
  },
  (t) => [index("content_owners_url").on(t.urlId)],
);

/**
 * URLs of which the index may say something else than the store. Written in the transaction that
 * removes a document, or that frees a URL whose visit may have put one and was not settled; gone
 * once the index says what the store says.
 */
export const indexRepairs = pgTable(
  "index_repairs",
  {
    urlId: bigint({ mode: "number" }).notNull(),
    /** Not looked at before. One of a later moment is a wish of its own. */
    wantedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.urlId, t.wantedAt] }),
    index("index_repairs_due").on(t.wantedAt),
  ],
);

/** History: one row a visit, append-only, partitioned by day of `settledAt` (see the migration). */
export const visits = pgTable(
  "visits",
  {
    id: bigint({ mode: "number" }).generatedAlwaysAsIdentity(),
    urlId: bigint({ mode: "number" }).notNull(),
    hostId: integer().notNull(),
    claimedAt: timestamp({ withTimezone: true }),
    fetchStartedAt: timestamp({ withTimezone: true }),
    fetchedAt: timestamp({ withTimezone: true }),
    parsedAt: timestamp({ withTimezone: true }),
    indexedAt: timestamp({ withTimezone: true }),
    settledAt: timestamp({ withTimezone: true }).notNull(),
    /** kind of the outcome, or the event of the machine. */
    outcome: text().notNull(),
    /** State after. */
    state: text().notNull(),
    reason: text(),
    status: smallint(),
    bytes: integer(),
    address: text(),
  },
  (t) => [
    index("visits_url").on(t.urlId, t.settledAt),
    index("visits_host").on(t.hostId, t.settledAt),
    index("visits_settled").on(t.settledAt),
  ],
);
