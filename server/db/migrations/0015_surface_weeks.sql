-- expand
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
-- What is stored already. Sums that a build before this one adds from here on: aisle rollup rebuild.
INSERT INTO "rollup_weekly" ("domain", "dimension", "surface", "day", "name", "kind", "currency",
	"sessions", "viewed", "initiated", "completed", "failed", "revenue", "refunds", "refunded")
SELECT "domain", "dimension", "surface",
	greatest(date_trunc('week', "day"::timestamp), date_trunc('month', "day"::timestamp))::date,
	"name", "kind", "currency", sum("sessions"), sum("viewed"), sum("initiated"), sum("completed"),
	sum("failed"), sum("revenue"), sum("refunds"), sum("refunded")
FROM "rollup_named" GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7;
