CREATE TABLE "store"."rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "store"."sessions" ADD COLUMN "confirmed_option_id" text;--> statement-breakpoint
ALTER TABLE "store"."sessions" ADD COLUMN "declines" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "store"."sessions" ADD COLUMN "create_key" text;--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "store"."rate_limits" USING btree ("expire");