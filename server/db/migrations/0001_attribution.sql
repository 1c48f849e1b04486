CREATE TABLE "ai_sessions" (
	"domain" text NOT NULL,
	"session_id" text NOT NULL,
	"day" date NOT NULL,
	"surface" text NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"confidence" double precision NOT NULL,
	CONSTRAINT "ai_sessions_domain_session_id_pk" PRIMARY KEY("domain","session_id")
);
--> statement-breakpoint
CREATE TABLE "event_keys" (
	"domain" text NOT NULL,
	"key" text NOT NULL,
	"event_id" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"surface" text NOT NULL,
	"confidence" double precision NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "event_keys_domain_key_pk" PRIMARY KEY("domain","key")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"domain" text NOT NULL,
	"id" uuid NOT NULL,
	"ts" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"event" text NOT NULL,
	"source" text NOT NULL,
	"session_id" text NOT NULL,
	"visit_id" text NOT NULL,
	"opens_session" boolean NOT NULL,
	"surface" text NOT NULL,
	"kind" text NOT NULL,
	"confidence" double precision NOT NULL,
	"model" text NOT NULL,
	"ai_surface" text,
	"value" bigint,
	"currency" text,
	"properties" jsonb NOT NULL,
	CONSTRAINT "events_domain_id_ts_pk" PRIMARY KEY("domain","id","ts")
) PARTITION BY RANGE ("ts");
--> statement-breakpoint
CREATE TABLE "properties" (
	"id" text PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"origins" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rollup_daily" (
	"domain" text NOT NULL,
	"day" date NOT NULL,
	"surface" text NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"currency" text NOT NULL,
	"sessions" integer NOT NULL,
	"viewed" integer NOT NULL,
	"initiated" integer NOT NULL,
	"completed" integer NOT NULL,
	"failed" integer NOT NULL,
	"revenue" bigint NOT NULL,
	"last_received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "rollup_daily_domain_day_surface_kind_source_currency_pk" PRIMARY KEY("domain","day","surface","kind","source","currency")
);
