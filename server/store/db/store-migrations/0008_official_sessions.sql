-- expand
ALTER TABLE "store"."idempotency_keys" ADD COLUMN "sent" jsonb;--> statement-breakpoint
ALTER TABLE "store"."orders" ADD COLUMN "challenge_url" text;--> statement-breakpoint
ALTER TABLE "store"."orders" ADD COLUMN "protocol" text;--> statement-breakpoint
ALTER TABLE "store"."orders" ADD COLUMN "official" jsonb;--> statement-breakpoint
ALTER TABLE "store"."sessions" ADD COLUMN "official" jsonb;