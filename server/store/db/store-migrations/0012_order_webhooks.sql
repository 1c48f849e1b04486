-- expand
CREATE SEQUENCE "store"."webhook_places" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
ALTER TABLE "store"."orders" ADD COLUMN "history" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "store"."webhook_deliveries" ADD COLUMN "order_id" text;--> statement-breakpoint
ALTER TABLE "store"."webhook_deliveries" ADD COLUMN "place" bigint;--> statement-breakpoint
ALTER TABLE "store"."webhook_endpoints" ADD COLUMN "format" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "store"."webhook_endpoints" ADD COLUMN "told_at" timestamp with time zone;