-- expand
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
ALTER TABLE "ai_sessions" ADD COLUMN "landing" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "landing" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "day" date;--> statement-breakpoint
ALTER TABLE "properties" ADD COLUMN "time_zone" text;--> statement-breakpoint
CREATE INDEX "rollup_named_surface" ON "rollup_named" USING btree ("domain","dimension","surface","day");