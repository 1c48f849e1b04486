-- expand
CREATE TABLE "store"."carts" (
	"id" text PRIMARY KEY NOT NULL,
	"protocol" text NOT NULL,
	"host" text NOT NULL,
	"items" jsonb NOT NULL,
	"official" jsonb NOT NULL,
	"session_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"canceled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "carts_expires" ON "store"."carts" USING btree ("expires_at");