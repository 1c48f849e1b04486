-- expand
ALTER TABLE "store"."orders" ADD COLUMN "paid_at" timestamp with time zone;