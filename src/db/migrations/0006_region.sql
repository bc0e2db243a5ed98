ALTER TABLE "documents" ADD COLUMN "region_score" smallint;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "region" jsonb;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "category" text;--> statement-breakpoint
ALTER TABLE "hosts" ADD COLUMN "region_sum" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hosts" ADD COLUMN "region_count" integer DEFAULT 0 NOT NULL;