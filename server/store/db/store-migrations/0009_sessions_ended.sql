-- index
CREATE INDEX CONCURRENTLY "sessions_ended" ON "store"."sessions" USING btree ("expires_at") WHERE status in ('expired', 'canceled');
