ALTER TABLE "documents" ALTER COLUMN "text" SET DATA TYPE bytea USING convert_to("text", 'UTF8');--> statement-breakpoint
ALTER TABLE "documents" ALTER COLUMN "text" SET STORAGE EXTERNAL;
