ALTER TABLE "event_keys" ADD COLUMN "notes" text[];--> statement-breakpoint
ALTER TABLE "properties" ADD COLUMN "currency" text;