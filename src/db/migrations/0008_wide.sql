CREATE TABLE "lastmod_claims" (
	"sitemap_id" integer NOT NULL,
	"url_id" bigint NOT NULL,
	"visits" integer NOT NULL,
	"changes" integer NOT NULL,
	CONSTRAINT "lastmod_claims_sitemap_id_url_id_pk" PRIMARY KEY("sitemap_id","url_id")
);
--> statement-breakpoint
CREATE TABLE "refused_sitemaps" (
	"host" text NOT NULL,
	"sitemap_id" integer NOT NULL,
	CONSTRAINT "refused_sitemaps_host_sitemap_id_pk" PRIMARY KEY("host","sitemap_id")
);
--> statement-breakpoint
ALTER TABLE "hosts" ADD COLUMN "priority_boost" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sitemaps" ADD COLUMN "lastmod_right" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sitemaps" ADD COLUMN "lastmod_wrong" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "hosts_forgotten" ON "hosts" USING btree ("id") WHERE "hosts"."state" = 'paused' and "hosts"."reason" = 'forgotten';--> statement-breakpoint
CREATE INDEX "hosts_out_of_region" ON "hosts" USING btree ("id") WHERE "hosts"."state" = 'out_of_region';