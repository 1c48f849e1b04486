-- expand
ALTER TABLE "store"."orders" ADD COLUMN "stock_taken" boolean DEFAULT true NOT NULL;