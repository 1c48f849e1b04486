-- expand
ALTER TABLE "api_keys" ADD COLUMN "last_used_for" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "made_by" text;