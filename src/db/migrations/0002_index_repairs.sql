CREATE TABLE "index_repairs" (
	"url_id" bigint NOT NULL,
	"wanted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "index_repairs_url_id_wanted_at_pk" PRIMARY KEY("url_id","wanted_at")
);
--> statement-breakpoint
CREATE INDEX "index_repairs_due" ON "index_repairs" USING btree ("wanted_at");