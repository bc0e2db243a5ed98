CREATE TABLE "host_parameters" (
	"host_id" integer NOT NULL,
	"name" text NOT NULL,
	"same" integer NOT NULL,
	"different" integer NOT NULL,
	"neutral_at" timestamp with time zone,
	CONSTRAINT "host_parameters_host_id_name_pk" PRIMARY KEY("host_id","name")
);
--> statement-breakpoint
CREATE TABLE "host_patterns" (
	"host_id" integer NOT NULL,
	"pattern" text NOT NULL,
	"pages" integer NOT NULL,
	"dry" integer NOT NULL,
	"barren" integer NOT NULL,
	"seen" "bytea" NOT NULL,
	"cut_at" timestamp with time zone,
	"look_at" timestamp with time zone,
	"noted_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "host_patterns_host_id_pattern_pk" PRIMARY KEY("host_id","pattern")
);
--> statement-breakpoint
CREATE TABLE "host_refusals" (
	"host_id" integer NOT NULL,
	"reason" text NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "host_refusals_host_id_reason_pk" PRIMARY KEY("host_id","reason")
);
--> statement-breakpoint
CREATE TABLE "page_keys" (
	"key" uuid NOT NULL,
	"url_id" bigint NOT NULL,
	"host_id" integer NOT NULL,
	CONSTRAINT "page_keys_host_id_key_pk" PRIMARY KEY("host_id","key")
);
--> statement-breakpoint
CREATE INDEX "host_parameters_neutral" ON "host_parameters" USING btree ("host_id") WHERE "host_parameters"."neutral_at" is not null;--> statement-breakpoint
CREATE INDEX "host_patterns_cut" ON "host_patterns" USING btree ("host_id") WHERE "host_patterns"."cut_at" is not null;