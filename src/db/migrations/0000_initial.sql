CREATE TYPE "public"."host_state" AS ENUM('active', 'waiting_robots', 'backing_off', 'parked', 'paused', 'dead', 'blocked', 'out_of_region');--> statement-breakpoint
CREATE TYPE "public"."url_origin" AS ENUM('seed', 'submission', 'link', 'redirect', 'canonical', 'sitemap', 'feed', 'collector');--> statement-breakpoint
CREATE TYPE "public"."url_state" AS ENUM('pending', 'in_progress', 'done', 'failed', 'blocked');--> statement-breakpoint
CREATE TABLE "content_owners" (
	"content_hash" uuid PRIMARY KEY NOT NULL,
	"url_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"url_id" bigint PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"lang" text,
	"headings" text NOT NULL,
	"text" text NOT NULL,
	"content_hash" uuid,
	"simhash" bigint,
	"link_density" real NOT NULL,
	"link_count" integer NOT NULL,
	"noarchive" boolean DEFAULT false NOT NULL,
	"noai" boolean DEFAULT false NOT NULL,
	"published_at" timestamp with time zone,
	"crawled_at" timestamp with time zone NOT NULL,
	"indexed_at" timestamp with time zone NOT NULL,
	"enriched_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "visits" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "visits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"url_id" bigint NOT NULL,
	"host_id" integer NOT NULL,
	"claimed_at" timestamp with time zone,
	"fetch_started_at" timestamp with time zone,
	"fetched_at" timestamp with time zone,
	"parsed_at" timestamp with time zone,
	"indexed_at" timestamp with time zone,
	"settled_at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"status" smallint,
	"bytes" integer,
	"address" text
) PARTITION BY RANGE ("settled_at");
--> statement-breakpoint
-- By hand: rows of a day without a partition of its own land here instead of failing.
CREATE TABLE "visits_default" PARTITION OF "visits" DEFAULT;
--> statement-breakpoint
CREATE TABLE "addresses" (
	"address" text PRIMARY KEY NOT NULL,
	"holder" uuid,
	"wanted_at" timestamp with time zone,
	"next_start_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "blocks" (
	"name" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hosts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "hosts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"domain" text NOT NULL,
	"state" "host_state" DEFAULT 'active' NOT NULL,
	"state_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reason" text,
	"lane" smallint DEFAULT 1 NOT NULL,
	"next_turn_at" timestamp with time zone,
	"next_fetch_at" timestamp with time zone,
	"seeded_at" timestamp with time zone,
	"delay_ms" integer,
	"robots_delay_ms" integer,
	"slow_delay_ms" integer,
	"turn_token" uuid,
	"turn_worker" uuid,
	"turn_started_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"throttles" integer DEFAULT 0 NOT NULL,
	"url_count" integer DEFAULT 0 NOT NULL,
	"page_count" integer DEFAULT 0 NOT NULL,
	"byte_count" bigint DEFAULT 0 NOT NULL,
	"urls_max" integer,
	"bytes_max" bigint,
	"include_patterns" text[],
	"exclude_patterns" text[],
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hosts_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "robots" (
	"authority" text PRIMARY KEY NOT NULL,
	"host_id" integer NOT NULL,
	"status" smallint,
	"body" text,
	"etag" text,
	"last_modified" text,
	"fetched_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text NOT NULL,
	"token_hash" text,
	"lang" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_name_unique" UNIQUE("name"),
	CONSTRAINT "accounts_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"detail" jsonb
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"name" text NOT NULL,
	"shard" integer NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "counters_name_shard_pk" PRIMARY KEY("name","shard")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"csrf" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "submissions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "submissions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"url" text NOT NULL,
	"key" uuid NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"submitted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	CONSTRAINT "submissions_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hostname" text NOT NULL,
	"pid" integer NOT NULL,
	"roles" text[] NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"beat_at" timestamp with time zone NOT NULL,
	"lost_at" timestamp with time zone,
	"report" jsonb
);
--> statement-breakpoint
CREATE TABLE "urls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "urls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" uuid NOT NULL,
	"next_crawl_at" timestamp with time zone,
	"admitted_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"host_id" integer NOT NULL,
	"via" "url_origin" NOT NULL,
	"state" "url_state" DEFAULT 'pending' NOT NULL,
	"visits" integer DEFAULT 0 NOT NULL,
	"changes" integer DEFAULT 0 NOT NULL,
	"priority" smallint DEFAULT 100 NOT NULL,
	"depth" smallint DEFAULT 0 NOT NULL,
	"hops" smallint DEFAULT 0 NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"crashes" smallint DEFAULT 0 NOT NULL,
	"misses" smallint DEFAULT 0 NOT NULL,
	"url" text NOT NULL,
	"lease_token" uuid,
	"claimed_at" timestamp with time zone,
	"fetching_at" timestamp with time zone,
	"reason" text,
	"status" smallint,
	"visited_at" timestamp with time zone,
	"crawled_at" timestamp with time zone,
	"interval_s" integer,
	"etag" text,
	"last_modified" text,
	"content_hash" uuid,
	"target_id" bigint,
	CONSTRAINT "urls_key_unique" UNIQUE("key"),
	CONSTRAINT "urls_pending_due" CHECK ("urls"."state" <> 'pending' or "urls"."next_crawl_at" is not null),
	CONSTRAINT "urls_leased_state" CHECK (("urls"."state" = 'in_progress') = ("urls"."lease_token" is not null))
);
--> statement-breakpoint
CREATE INDEX "content_owners_url" ON "content_owners" USING btree ("url_id");--> statement-breakpoint
CREATE INDEX "documents_enrich" ON "documents" USING btree ("url_id") WHERE "documents"."enriched_at" is null;--> statement-breakpoint
CREATE INDEX "visits_url" ON "visits" USING btree ("url_id","settled_at");--> statement-breakpoint
CREATE INDEX "visits_host" ON "visits" USING btree ("host_id","settled_at");--> statement-breakpoint
CREATE INDEX "visits_settled" ON "visits" USING btree ("settled_at");--> statement-breakpoint
CREATE INDEX "hosts_due" ON "hosts" USING btree ("lane","next_turn_at") WHERE "hosts"."next_turn_at" is not null and "hosts"."turn_token" is null;--> statement-breakpoint
CREATE INDEX "hosts_turns" ON "hosts" USING btree ("turn_worker") WHERE "hosts"."turn_token" is not null;--> statement-breakpoint
CREATE INDEX "hosts_domain" ON "hosts" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "hosts_seeded" ON "hosts" USING btree ("seeded_at") WHERE "hosts"."seeded_at" is not null;--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "submissions_state" ON "submissions" USING btree ("state","submitted_at");--> statement-breakpoint
CREATE INDEX "urls_claim" ON "urls" USING btree ("host_id","priority" DESC NULLS FIRST,"next_crawl_at","id") WHERE "urls"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "urls_leased" ON "urls" USING btree ("lease_token") WHERE "urls"."state" = 'in_progress';--> statement-breakpoint
CREATE INDEX "urls_revisit" ON "urls" USING btree ("next_crawl_at") WHERE "urls"."state" in ('done', 'failed') and "urls"."next_crawl_at" is not null;--> statement-breakpoint
CREATE INDEX "urls_target" ON "urls" USING btree ("target_id") WHERE "urls"."target_id" is not null;--> statement-breakpoint
CREATE INDEX "urls_host_settled" ON "urls" USING btree ("host_id","state","id") WHERE "urls"."state" in ('done', 'failed', 'blocked');--> statement-breakpoint
CREATE INDEX "urls_settled" ON "urls" USING btree ("state","id") WHERE "urls"."state" in ('done', 'failed', 'blocked');--> statement-breakpoint
-- By hand: small hot tables keep room for in-place updates; large ones are vacuumed before a fifth is dead.
ALTER TABLE "hosts" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);--> statement-breakpoint
ALTER TABLE "urls" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE "workers" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "addresses" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "counters" SET (fillfactor = 50);
