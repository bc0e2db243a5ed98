CREATE TABLE "document_summaries" (
	"url_id" bigint PRIMARY KEY NOT NULL,
	"content_hash" uuid NOT NULL,
	"summary" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "enrich_waits" (
	"url_id" bigint PRIMARY KEY NOT NULL,
	"content_hash" uuid
);
--> statement-breakpoint
CREATE TABLE "summary_waits" (
	"url_id" bigint PRIMARY KEY NOT NULL,
	"content_hash" uuid NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- By hand: what waited by its empty column waits by a row now.
INSERT INTO "enrich_waits" ("url_id", "content_hash") SELECT "url_id", "content_hash" FROM "documents" WHERE "enriched_at" IS NULL;--> statement-breakpoint
DROP INDEX "documents_enrich";--> statement-breakpoint
CREATE INDEX "summary_waits_due" ON "summary_waits" USING btree ("due_at","url_id");--> statement-breakpoint
ALTER TABLE "documents" DROP COLUMN "enriched_at";