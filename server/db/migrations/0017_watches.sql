-- expand
CREATE TABLE "incidents" (
	"domain" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"severity" text NOT NULL,
	"label" text NOT NULL,
	"detail" text NOT NULL,
	"fix" text NOT NULL,
	"points" integer,
	"changes" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"is_known" boolean NOT NULL,
	"well_at" timestamp with time zone,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "incidents_domain_id_pk" PRIMARY KEY("domain","id")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"domain" text NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"event" text NOT NULL,
	"notice" jsonb NOT NULL,
	CONSTRAINT "notices_domain_id_pk" PRIMARY KEY("domain","id")
);
--> statement-breakpoint
CREATE TABLE "status_pages" (
	"domain" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watch_answers" (
	"domain" text PRIMARY KEY NOT NULL,
	"answers" jsonb NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watch_channels" (
	"id" text PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"secret" text,
	"token_sha256" text,
	"events" text[] NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_ok_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"last_error" text,
	"disabled_at" timestamp with time zone,
	"disabled_why" text
);
--> statement-breakpoint
CREATE TABLE "watch_deliveries" (
	"channel_id" text NOT NULL,
	"notice_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"notice" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"failed" integer NOT NULL,
	"next_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"status" integer,
	"error" text,
	CONSTRAINT "watch_deliveries_channel_id_notice_id_pk" PRIMARY KEY("channel_id","notice_id")
);
--> statement-breakpoint
CREATE TABLE "watch_looks" (
	"domain" text NOT NULL,
	"slot_at" timestamp with time zone NOT NULL,
	"look" integer NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"score" integer,
	"grade" text,
	"gaps" text[] NOT NULL,
	"requests" integer NOT NULL,
	"why" text,
	CONSTRAINT "watch_looks_domain_slot_at_look_pk" PRIMARY KEY("domain","slot_at","look")
);
--> statement-breakpoint
CREATE TABLE "watches" (
	"domain" text PRIMARY KEY NOT NULL,
	"site" text NOT NULL,
	"key_id" text NOT NULL,
	"checks" text[] NOT NULL,
	"walk" boolean NOT NULL,
	"period" text NOT NULL,
	"severity" text NOT NULL,
	"quiet_hours" jsonb,
	"time_zone" text NOT NULL,
	"with_report" boolean NOT NULL,
	"tags" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"paused_at" timestamp with time zone,
	"slot_at" timestamp with time zone NOT NULL,
	"look" integer NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"late_at" timestamp with time zone NOT NULL,
	"lease" uuid,
	"leased_until" timestamp with time zone,
	"state" jsonb NOT NULL,
	"looked_at" timestamp with time zone,
	"outcome" text,
	"score" integer,
	"grade" text,
	"why" text,
	"digest_at" timestamp with time zone NOT NULL,
	"signals_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_open" ON "incidents" USING btree ("domain","kind","subject") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "incidents_newest" ON "incidents" USING btree ("domain","opened_at");--> statement-breakpoint
CREATE INDEX "incidents_age" ON "incidents" USING btree ("closed_at");--> statement-breakpoint
CREATE INDEX "notices_newest" ON "notices" USING btree ("domain","at");--> statement-breakpoint
CREATE INDEX "notices_age" ON "notices" USING btree ("at");--> statement-breakpoint
CREATE INDEX "watch_channels_domain" ON "watch_channels" USING btree ("domain");--> statement-breakpoint
CREATE UNIQUE INDEX "watch_channels_token" ON "watch_channels" USING btree ("token_sha256");--> statement-breakpoint
CREATE INDEX "watch_deliveries_due" ON "watch_deliveries" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "watch_deliveries_age" ON "watch_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "watch_looks_age" ON "watch_looks" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "watches_due" ON "watches" USING btree ("next_at") WHERE paused_at is null;--> statement-breakpoint
CREATE INDEX "watches_leased" ON "watches" USING btree ("site") WHERE lease is not null;--> statement-breakpoint
CREATE INDEX "watches_digest" ON "watches" USING btree ("digest_at");