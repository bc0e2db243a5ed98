CREATE TYPE "public"."sitemap_kind" AS ENUM('sitemap', 'feed');--> statement-breakpoint
CREATE TYPE "public"."sitemap_origin" AS ENUM('robots', 'link', 'index', 'seed');--> statement-breakpoint
CREATE TABLE "sitemaps" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sitemaps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" uuid NOT NULL,
	"host_id" integer NOT NULL,
	"url" text NOT NULL,
	"kind" "sitemap_kind" NOT NULL,
	"origin" "sitemap_origin" NOT NULL,
	"depth" smallint DEFAULT 0 NOT NULL,
	"hops" smallint DEFAULT 0 NOT NULL,
	"found_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"next_fetch_at" timestamp with time zone,
	"fetched_at" timestamp with time zone,
	"etag" text,
	"last_modified" text,
	"body_hash" uuid,
	"interval_s" integer,
	"failures" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"entries" integer,
	"admitted" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "sitemaps_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE INDEX "sitemaps_due" ON "sitemaps" USING btree ("host_id","next_fetch_at") WHERE "sitemaps"."next_fetch_at" is not null;--> statement-breakpoint
CREATE INDEX "sitemaps_host" ON "sitemaps" USING btree ("host_id","kind","id");