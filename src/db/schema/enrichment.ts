import { bigint, index, pgTable, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * Documents that await enrichment: written by the settle that brought their text. Apart from them,
 * since a mark on a document writes it anew with its text: 1.6 KB of log for a short one, where the
 * end of a row here takes 59 B.
 */
export const enrichWaits = pgTable("enrich_waits", {
  urlId: bigint({ mode: "number" }).primaryKey(),
  /** Of which text: whoever has enriched an earlier one leaves the row. */
  contentHash: uuid(),
});

/** Documents that everything but a summary is known of: apart, so that a slow model holds none. */
export const summaryWaits = pgTable(
  "summary_waits",
  {
    urlId: bigint({ mode: "number" }).primaryKey(),
    contentHash: uuid().notNull(),
    /** Answers that were of no use. */
    attempts: smallint().notNull().default(0),
    /** Not asked for before. */
    dueAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("summary_waits_due").on(t.dueAt, t.urlId)],
);

/** What a language model made of the text with this hash: of another text it says nothing. */
export const documentSummaries = pgTable("document_summaries", {
  urlId: bigint({ mode: "number" }).primaryKey(),
  contentHash: uuid().notNull(),
  summary: text().notNull(),
});
