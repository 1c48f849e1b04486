-- expand
ALTER TABLE "rollup_daily" ADD COLUMN "refunds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rollup_daily" ADD COLUMN "refunded" bigint DEFAULT 0 NOT NULL;