CREATE TABLE "query_stats" (
	"day" date NOT NULL,
	"query" text NOT NULL,
	"requests" integer NOT NULL,
	"empty" integer NOT NULL,
	"slow" integer NOT NULL,
	"slowest_ms" integer NOT NULL,
	CONSTRAINT "query_stats_day_query_pk" PRIMARY KEY("day","query")
);
--> statement-breakpoint
CREATE TABLE "host_factors" (
	"host" text PRIMARY KEY NOT NULL,
	"factor" text NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ranking_signals" (
	"signal" text PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"weight" real NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
