ALTER TABLE "snippet_versions" ADD COLUMN "last_used_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "audits_age" ON "audits" USING btree ("checked_at","id");--> statement-breakpoint
CREATE INDEX "shares_ended" ON "shares" USING btree (least("expires_at", "revoked_at"));--> statement-breakpoint
CREATE INDEX "web_sessions_expires" ON "web_sessions" USING btree ("expires_at");