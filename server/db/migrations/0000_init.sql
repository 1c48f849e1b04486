-- expand
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"secret_sha256" text NOT NULL,
	"scopes" text[] NOT NULL,
	"domains" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"last_used_for" text,
	"made_by" text
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" text PRIMARY KEY NOT NULL,
	"secret_sha256" text NOT NULL,
	"domain" text NOT NULL,
	"view" text NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"walk_id" uuid
);
--> statement-breakpoint
CREATE TABLE "site_access" (
	"domain" text PRIMARY KEY NOT NULL,
	"kinds" text[] NOT NULL,
	"header_names" text[] NOT NULL,
	"sealed" text NOT NULL,
	"key_id" text NOT NULL,
	"set_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "web_sessions" (
	"token_sha256" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_ranges" (
	"list" text NOT NULL,
	"since" date NOT NULL,
	"prefixes" text[] NOT NULL,
	CONSTRAINT "agent_ranges_list_since_pk" PRIMARY KEY("list","since")
);
--> statement-breakpoint
CREATE TABLE "beacon_days" (
	"domain" text NOT NULL,
	"day" date NOT NULL,
	"property_id" text NOT NULL,
	"admitted" bigint NOT NULL,
	"over_address" bigint NOT NULL,
	"over_network" bigint NOT NULL,
	"over_property" bigint NOT NULL,
	CONSTRAINT "beacon_days_domain_day_property_id_pk" PRIMARY KEY("domain","day","property_id")
);
--> statement-breakpoint
CREATE TABLE "product_titles" (
	"domain" text NOT NULL,
	"product_id" text NOT NULL,
	"title" text NOT NULL,
	"path" text,
	"price" bigint,
	"currency" text,
	"price_since" timestamp with time zone,
	"other_price_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "product_titles_domain_product_id_pk" PRIMARY KEY("domain","product_id")
);
--> statement-breakpoint
CREATE TABLE "properties" (
	"id" text PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"origins" text[] NOT NULL,
	"currency" text,
	"time_zone" text,
	"lookback_days" integer,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shop_totals" (
	"domain" text NOT NULL,
	"day" date NOT NULL,
	"currency" text NOT NULL,
	"orders" integer NOT NULL,
	"revenue" bigint NOT NULL,
	"reported_at" timestamp with time zone NOT NULL,
	CONSTRAINT "shop_totals_domain_day_currency_pk" PRIMARY KEY("domain","day","currency")
);
--> statement-breakpoint
CREATE TABLE "snippet_versions" (
	"version" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_runs" (
	"domain" text NOT NULL,
	"id" uuid NOT NULL,
	"by" text NOT NULL,
	"state" text NOT NULL,
	"leased_until" timestamp with time zone,
	"asked_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"cancel_asked_at" timestamp with time zone,
	"progress" jsonb NOT NULL,
	"why" text,
	"result" jsonb,
	CONSTRAINT "audit_runs_domain_id_pk" PRIMARY KEY("domain","id")
);
--> statement-breakpoint
CREATE TABLE "audits" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"domain" text NOT NULL,
	"checks" text[] NOT NULL,
	"engine_version" text NOT NULL,
	"result" jsonb NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "audits_domain_id_pk" PRIMARY KEY("domain","id")
);
--> statement-breakpoint
CREATE TABLE "badges" (
	"domain" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "walk_events" (
	"domain" text NOT NULL,
	"walk_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"event" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "walk_events_domain_walk_id_n_pk" PRIMARY KEY("domain","walk_id","n")
);
--> statement-breakpoint
CREATE TABLE "walk_pictures" (
	"domain" text NOT NULL,
	"walk_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"jpeg" "bytea" NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "walk_pictures_domain_walk_id_n_pk" PRIMARY KEY("domain","walk_id","n")
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
	"leased_until" timestamp with time zone,
	"asked_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"cancel_asked_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"stopped" text,
	"events" integer,
	"transcript" jsonb,
	"summary" jsonb,
	CONSTRAINT "walks_domain_id_pk" PRIMARY KEY("domain","id")
);
--> statement-breakpoint
CREATE TABLE "ai_sessions" (
	"confidence" double precision NOT NULL,
	"began" bigint,
	"named" bigint,
	"day" date NOT NULL,
	"domain" text NOT NULL,
	"session_id" text NOT NULL,
	"surface" text NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"landing" text,
	CONSTRAINT "ai_sessions_domain_session_id_pk" PRIMARY KEY("domain","session_id")
);
--> statement-breakpoint
CREATE TABLE "dropped_months" (
	"month" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_keys" (
	"confidence" real NOT NULL,
	"received_at" date NOT NULL,
	"fingerprint" integer NOT NULL,
	"event_id" uuid NOT NULL,
	"is_numbered" boolean DEFAULT false NOT NULL,
	"domain" text NOT NULL,
	"key" text NOT NULL,
	"surface" text NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	CONSTRAINT "event_keys_domain_key_pk" PRIMARY KEY("domain","key")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"ts" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"confidence" double precision NOT NULL,
	"value" bigint,
	"day" date,
	"id" uuid NOT NULL,
	"opens_session" boolean NOT NULL,
	"domain" text NOT NULL,
	"event" text NOT NULL,
	"source" text NOT NULL,
	"session_id" text NOT NULL,
	"visit_id" text NOT NULL,
	"surface" text NOT NULL,
	"kind" text NOT NULL,
	"model" text NOT NULL,
	"ai_surface" text,
	"currency" text,
	"properties" jsonb NOT NULL,
	"landing" text,
	CONSTRAINT "events_domain_id_ts_pk" PRIMARY KEY("domain","id","ts")
) PARTITION BY RANGE ("ts");
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
	"refunds" integer NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "rollup_daily_domain_day_surface_kind_source_currency_pk" PRIMARY KEY("domain","day","surface","kind","source","currency")
);
--> statement-breakpoint
CREATE TABLE "rollup_listed" (
	"domain" text NOT NULL,
	"dimension" text NOT NULL,
	"span" text NOT NULL,
	"day" date NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"sessions" integer NOT NULL,
	"viewed" integer NOT NULL,
	"initiated" integer NOT NULL,
	"completed" integer NOT NULL,
	"failed" integer NOT NULL,
	"revenue" bigint NOT NULL,
	"refunds" integer NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "rollup_listed_pk" PRIMARY KEY("domain","dimension","span","day","name","kind","currency")
);
--> statement-breakpoint
CREATE TABLE "rollup_named" (
	"domain" text NOT NULL,
	"dimension" text NOT NULL,
	"name" text NOT NULL,
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
	"refunds" integer NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "rollup_named_pk" PRIMARY KEY("domain","dimension","name","day","surface","kind","source","currency")
);
--> statement-breakpoint
CREATE TABLE "rollup_names" (
	"domain" text NOT NULL,
	"dimension" text NOT NULL,
	"month" text NOT NULL,
	"name" text NOT NULL,
	"chosen_at" timestamp with time zone,
	CONSTRAINT "rollup_names_domain_dimension_month_name_pk" PRIMARY KEY("domain","dimension","month","name")
);
--> statement-breakpoint
CREATE TABLE "rollup_weekly" (
	"domain" text NOT NULL,
	"dimension" text NOT NULL,
	"surface" text NOT NULL,
	"day" date NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"sessions" integer NOT NULL,
	"viewed" integer NOT NULL,
	"initiated" integer NOT NULL,
	"completed" integer NOT NULL,
	"failed" integer NOT NULL,
	"revenue" bigint NOT NULL,
	"refunds" integer NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "rollup_weekly_pk" PRIMARY KEY("domain","dimension","surface","day","name","kind","currency")
);
--> statement-breakpoint
CREATE TABLE "waiting_refunds" (
	"domain" text NOT NULL,
	"order_key" text NOT NULL,
	"event_id" uuid NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "waiting_refunds_domain_order_key_event_id_pk" PRIMARY KEY("domain","order_key","event_id")
);
--> statement-breakpoint
CREATE TABLE "fetch_days" (
	"domain" text NOT NULL,
	"day" date NOT NULL,
	"agent" text NOT NULL,
	"purpose" text NOT NULL,
	"verified" text NOT NULL,
	"path" text NOT NULL,
	"status" smallint NOT NULL,
	"surface" text NOT NULL,
	"operator" text NOT NULL,
	"fetches" bigint NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "fetch_days_domain_day_agent_purpose_verified_path_status_pk" PRIMARY KEY("domain","day","agent","purpose","verified","path","status")
);
--> statement-breakpoint
CREATE TABLE "fetch_hours" (
	"domain" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"hashes" "bytea" NOT NULL,
	"over" integer NOT NULL,
	CONSTRAINT "fetch_hours_domain_hour_pk" PRIMARY KEY("domain","hour")
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"alg" text NOT NULL,
	"jwk" jsonb NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "used_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"used_for" text NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
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
	"is_told" boolean DEFAULT false NOT NULL,
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
	"leased_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text,
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
	"judged" text,
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
	"signals_at" timestamp with time zone,
	"signals_judged_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "shares_domain" ON "shares" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "shares_ended" ON "shares" USING btree (least("expires_at", "revoked_at"));--> statement-breakpoint
CREATE INDEX "site_access_ends" ON "site_access" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "web_sessions_expires" ON "web_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "beacon_days_age" ON "beacon_days" USING btree ("day") WHERE over_address + over_network + over_property = 0;--> statement-breakpoint
CREATE INDEX "product_titles_age" ON "product_titles" USING btree ("seen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_runs_once" ON "audit_runs" USING btree ("domain","by") WHERE state = 'under_way';--> statement-breakpoint
CREATE INDEX "audit_runs_age" ON "audit_runs" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "audits_newest" ON "audits" USING btree ("domain","checked_at");--> statement-breakpoint
CREATE INDEX "audits_age" ON "audits" USING btree ("checked_at","id");--> statement-breakpoint
CREATE INDEX "walk_events_age" ON "walk_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "walk_pictures_age" ON "walk_pictures" USING btree ("at");--> statement-breakpoint
CREATE INDEX "walk_sessions_age" ON "walk_sessions" USING btree ("since");--> statement-breakpoint
CREATE UNIQUE INDEX "walks_one_at_a_time" ON "walks" USING btree ("domain") WHERE state in ('queued', 'under_way');--> statement-breakpoint
CREATE INDEX "walks_id" ON "walks" USING btree ("id");--> statement-breakpoint
CREATE INDEX "walks_newest" ON "walks" USING btree ("domain","asked_at");--> statement-breakpoint
CREATE INDEX "walks_age" ON "walks" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "events_two_visits" ON "events" USING btree ("domain","ts") WHERE jsonb_exists(properties, 'first_visit_id');--> statement-breakpoint
CREATE INDEX "rollup_named_surface" ON "rollup_named" USING btree ("domain","dimension","surface","day");--> statement-breakpoint
CREATE INDEX "fetch_hours_age" ON "fetch_hours" USING btree ("hour");--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_current" ON "signing_keys" USING btree ("alg") WHERE retired_at is null;--> statement-breakpoint
CREATE INDEX "used_nonces_until" ON "used_nonces" USING btree ("until");--> statement-breakpoint
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