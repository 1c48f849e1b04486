-- expand
ALTER TABLE "store"."webhook_endpoints" ADD COLUMN "platform" text;