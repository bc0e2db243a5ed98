CREATE TABLE "refused_links" (
	"host" text NOT NULL,
	"url_id" bigint NOT NULL,
	CONSTRAINT "refused_links_host_url_id_pk" PRIMARY KEY("host","url_id")
);
