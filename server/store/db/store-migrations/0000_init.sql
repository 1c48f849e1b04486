CREATE SCHEMA "store";
--> statement-breakpoint
CREATE TABLE "store"."idempotency_keys" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer,
	"body" jsonb,
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
	"tracking" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "orders_session" UNIQUE("session_id"),
	CONSTRAINT "orders_payment" UNIQUE("psp","payment_id"),
	CONSTRAINT "orders_receipt" UNIQUE("receipt_token")
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
	"attribution" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"completing_since" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "store"."stock" (
	"offer_id" text PRIMARY KEY NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "stock_not_negative" CHECK ("store"."stock"."quantity" >= 0)
);
--> statement-breakpoint
CREATE TABLE "store"."webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"endpoint_id" text NOT NULL,
	"message_id" text NOT NULL,
	"event" text NOT NULL,
	"payload" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store"."webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"events" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"failing_since" timestamp with time zone,
	"disabled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "store"."idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_buyer" ON "store"."orders" USING btree ("buyer","created_at");--> statement-breakpoint
CREATE INDEX "sessions_completing" ON "store"."sessions" USING btree ("completing_since") WHERE status = 'completing';--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "store"."sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "store"."webhook_deliveries" USING btree ("next_at") WHERE next_at is not null;