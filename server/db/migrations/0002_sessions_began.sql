-- expand
ALTER TABLE "ai_sessions" ADD COLUMN "began" bigint;--> statement-breakpoint
ALTER TABLE "ai_sessions" ADD COLUMN "named" bigint;