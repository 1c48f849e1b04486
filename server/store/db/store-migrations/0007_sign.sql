-- expand
CREATE TABLE "store"."signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"jwk" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_current" ON "store"."signing_keys" USING btree ((retired_at is null)) WHERE retired_at is null;