-- expand
CREATE TABLE "walk_events" (
	"domain" text NOT NULL,
	"walk_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"event" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "walk_events_domain_walk_id_n_pk" PRIMARY KEY("domain","walk_id","n")
);
--> statement-breakpoint
CREATE TABLE "walk_sessions" (
	"domain" text NOT NULL,
	"key" text NOT NULL,
	"walk_id" uuid NOT NULL,
	"opening" json NOT NULL,
	"route" jsonb NOT NULL,
	"session" text,
	"since" timestamp with time zone NOT NULL,
	"leased_until" timestamp with time zone,
	CONSTRAINT "walk_sessions_domain_key_pk" PRIMARY KEY("domain","key")
);
--> statement-breakpoint
CREATE TABLE "walks" (
	"domain" text NOT NULL,
	"id" uuid NOT NULL,
	"key_id" text NOT NULL,
	"mode" text NOT NULL,
	"intents" text[] NOT NULL,
	"dialects" text[],
	"state" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"alive_at" timestamp with time zone NOT NULL,
	"cancel_asked_at" timestamp with time zone,
	"stopped" text,
	"events" integer,
	"transcript" jsonb,
	"summary" jsonb,
	CONSTRAINT "walks_domain_id_pk" PRIMARY KEY("domain","id")
);
--> statement-breakpoint
ALTER TABLE "shares" ADD COLUMN "walk_id" uuid;--> statement-breakpoint
CREATE INDEX "walk_events_age" ON "walk_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "walk_sessions_age" ON "walk_sessions" USING btree ("since");--> statement-breakpoint
CREATE UNIQUE INDEX "walks_one_at_a_time" ON "walks" USING btree ("domain") WHERE state in ('queued', 'under_way');--> statement-breakpoint
CREATE INDEX "walks_id" ON "walks" USING btree ("id");--> statement-breakpoint
CREATE INDEX "walks_newest" ON "walks" USING btree ("domain","asked_at");--> statement-breakpoint
CREATE INDEX "walks_age" ON "walks" USING btree ("ended_at");