-- expand
ALTER TABLE "incidents" ADD COLUMN "is_told" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "incidents" SET "is_told" = true WHERE "closed_at" IS NULL AND EXISTS (
	SELECT FROM "notices" WHERE "notices"."domain" = "incidents"."domain" AND "notices"."event" = 'incident.opened'
		AND "notices"."notice"->'data'->'incident'->>'id' = "incidents"."id"::text
);
