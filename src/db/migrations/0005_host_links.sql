CREATE TABLE "host_links" (
	"from_host" integer NOT NULL,
	"to_host" integer NOT NULL,
	CONSTRAINT "host_links_from_host_to_host_pk" PRIMARY KEY("from_host","to_host")
);
--> statement-breakpoint
CREATE TABLE "host_ranking" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"changes" bigint DEFAULT 0 NOT NULL,
	"ranked" bigint DEFAULT 0 NOT NULL,
	"ranked_at" timestamp with time zone,
	CONSTRAINT "host_ranking_one" CHECK ("host_ranking"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "hosts" ADD COLUMN "linking_hosts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hosts" ADD COLUMN "authority" real DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "host_links_to" ON "host_links" USING btree ("to_host");