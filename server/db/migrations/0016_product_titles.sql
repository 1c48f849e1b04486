-- expand
CREATE TABLE "product_titles" (
	"domain" text NOT NULL,
	"product_id" text NOT NULL,
	"title" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "product_titles_domain_product_id_pk" PRIMARY KEY("domain","product_id")
);
--> statement-breakpoint
CREATE INDEX "product_titles_age" ON "product_titles" USING btree ("seen_at");