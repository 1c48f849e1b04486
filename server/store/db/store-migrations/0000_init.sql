-- expand
CREATE SCHEMA "store";
--> statement-breakpoint
CREATE SEQUENCE "store"."webhook_places" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "store"."carts" (
	"id" text PRIMARY KEY NOT NULL,
	"protocol" text NOT NULL,
	"host" text NOT NULL,
	"items" jsonb NOT NULL,
	"official" jsonb NOT NULL,
	"session_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"canceled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "store"."idempotency_keys" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer,
	"body" json,
	"sent" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_scope_key_pk" PRIMARY KEY("scope","key")
);
--> statement-breakpoint
CREATE TABLE "store"."orders" (
	"id" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"psp" text NOT NULL,
	"payment_id" text NOT NULL,
	"status" text NOT NULL,
	"disputed" boolean DEFAULT false NOT NULL,
	"stock_taken" boolean DEFAULT true NOT NULL,
	"confirmation_number" text NOT NULL,
	"receipt_token" text NOT NULL,
	"host" text NOT NULL,
	"buyer" text NOT NULL,
	"items" jsonb NOT NULL,
	"address" jsonb,
	"shipping" jsonb NOT NULL,
	"currency" text NOT NULL,
	"subtotal" integer NOT NULL,
	"tax" integer NOT NULL,
	"total" integer NOT NULL,
	"estimated_delivery" text NOT NULL,
	"challenge_url" text,
	"protocol" text NOT NULL,
	"official" jsonb,
	"mandate" jsonb,
	"tracking" jsonb,
	"history" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"refunds" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"paid_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "orders_session" UNIQUE("session_id"),
	CONSTRAINT "orders_payment" UNIQUE("psp","payment_id"),
	CONSTRAINT "orders_receipt" UNIQUE("receipt_token")
);
--> statement-breakpoint
CREATE TABLE "store"."payment_reviews" (
	"psp" text NOT NULL,
	"payment_id" text NOT NULL,
	"cause" text NOT NULL,
	"session_id" text NOT NULL,
	"amount" jsonb,
	"noted_at" timestamp with time zone NOT NULL,
	"reviewed_at" timestamp with time zone,
	CONSTRAINT "payment_reviews_psp_payment_id_cause_pk" PRIMARY KEY("psp","payment_id","cause")
);
--> statement-breakpoint
CREATE TABLE "store"."products" (
	"id" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"article" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store"."psp_events" (
	"psp" text NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "psp_events_psp_id_pk" PRIMARY KEY("psp","id")
);
--> statement-breakpoint
CREATE TABLE "store"."refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"key" text NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"reason" text,
	"status" text NOT NULL,
	"psp_refund_id" text,
	"message" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "refunds_key" UNIQUE("order_id","key"),
	CONSTRAINT "refunds_positive" CHECK ("store"."refunds"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "store"."sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"protocol" text NOT NULL,
	"status" text NOT NULL,
	"host" text NOT NULL,
	"buyer" text NOT NULL,
	"items" jsonb NOT NULL,
	"address" jsonb,
	"currency" text NOT NULL,
	"subtotal" integer NOT NULL,
	"tax" integer NOT NULL,
	"shipping_options" jsonb NOT NULL,
	"shipping_option_id" text,
	"confirmed_option_id" text,
	"attribution" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"completing_since" timestamp with time zone,
	"declines" integer DEFAULT 0 NOT NULL,
	"create_key" text,
	"official" jsonb,
	"mandate" jsonb
);
--> statement-breakpoint
CREATE TABLE "store"."signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"alg" text NOT NULL,
	"jwk" jsonb NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "store"."stock" (
	"offer_id" text PRIMARY KEY NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "stock_not_negative" CHECK ("store"."stock"."quantity" >= 0)
);
--> statement-breakpoint
CREATE TABLE "store"."rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "store"."used_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"used_for" text NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store"."webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"endpoint_id" text NOT NULL,
	"message_id" text NOT NULL,
	"event" text NOT NULL,
	"order_id" text,
	"place" bigint,
	"payload" text NOT NULL,
	"leased_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "store"."webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"format" text DEFAULT 'standard' NOT NULL,
	"secret" text NOT NULL,
	"events" text[] NOT NULL,
	"platform" text,
	"created_at" timestamp with time zone NOT NULL,
	"failing_since" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"told_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "carts_expires" ON "store"."carts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "store"."idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_buyer" ON "store"."orders" USING btree ("buyer","created_at");--> statement-breakpoint
CREATE INDEX "orders_awaiting" ON "store"."orders" USING btree ("updated_at") WHERE status = 'awaiting_payment';--> statement-breakpoint
CREATE INDEX "orders_paid" ON "store"."orders" USING btree ("paid_at");--> statement-breakpoint
CREATE INDEX "payment_reviews_session" ON "store"."payment_reviews" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "payment_reviews_open" ON "store"."payment_reviews" USING btree ("noted_at") WHERE reviewed_at is null;--> statement-breakpoint
CREATE INDEX "psp_events_received" ON "store"."psp_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "store"."refunds" USING btree ("next_at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "sessions_completing" ON "store"."sessions" USING btree ("completing_since") WHERE status = 'completing';--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "store"."sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_open" ON "store"."sessions" USING btree ("expires_at") WHERE status = 'pending_confirmation';--> statement-breakpoint
CREATE INDEX "sessions_ended" ON "store"."sessions" USING btree ("expires_at") WHERE status in ('expired', 'canceled');--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_current" ON "store"."signing_keys" USING btree ("alg") WHERE retired_at is null;--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "store"."rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "used_nonces_until" ON "store"."used_nonces" USING btree ("until");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "store"."webhook_deliveries" USING btree ("endpoint_id","next_at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "store"."webhook_deliveries" USING btree ("created_at");