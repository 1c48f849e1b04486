-- expand
ALTER TABLE "watches" ADD COLUMN "signals_judged_at" timestamp with time zone;--> statement-breakpoint
UPDATE "watches" SET "signals_judged_at" = "signals_at" WHERE "signals_at" IS NOT NULL;
