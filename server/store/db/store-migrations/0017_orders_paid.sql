-- index
CREATE INDEX CONCURRENTLY "orders_paid" ON "store"."orders" USING btree ("paid_at");