-- index
DROP INDEX CONCURRENTLY IF EXISTS "store"."sessions_expired";
