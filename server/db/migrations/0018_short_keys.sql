-- expand
-- Only where no build until 0.1.0 has been, which writes texts and notes no tags: elsewhere "aisle db compact"
-- does it, once none runs any more.
DO $$ BEGIN
	IF NOT EXISTS (SELECT FROM "drizzle"."aisle_migrations" WHERE "tag" IS NULL)
		AND NOT EXISTS (SELECT FROM "event_keys") AND NOT EXISTS (SELECT FROM "ai_sessions")
	THEN
		ALTER TABLE "ai_sessions" ADD CONSTRAINT "ai_sessions_short" CHECK (strpos("session_id", ':') = 0 or current_setting('aisle.texts_are_refused') is null);
		ALTER TABLE "event_keys" ADD CONSTRAINT "event_keys_short" CHECK (strpos("key", ':') = 0 or current_setting('aisle.texts_are_refused') is null);
	END IF;
END $$;
