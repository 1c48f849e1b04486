-- expand
CREATE TABLE "audit_runs" (
	"domain" text NOT NULL,
	"id" uuid NOT NULL,
	"by" text NOT NULL,
	"state" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"alive_at" timestamp with time zone NOT NULL,
	"cancel_asked_at" timestamp with time zone,
	"progress" jsonb NOT NULL,
	"why" text,
	"result" jsonb,
	CONSTRAINT "audit_runs_domain_id_pk" PRIMARY KEY("domain","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_runs_once" ON "audit_runs" USING btree ("domain","by") WHERE state = 'under_way';--> statement-breakpoint
CREATE INDEX "audit_runs_age" ON "audit_runs" USING btree ("asked_at");