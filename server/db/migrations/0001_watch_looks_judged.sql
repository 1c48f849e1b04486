-- expand
ALTER TABLE "watch_looks" ADD COLUMN "judged" text;
