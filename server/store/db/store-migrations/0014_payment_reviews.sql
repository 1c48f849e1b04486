-- expand
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
CREATE INDEX "payment_reviews_session" ON "store"."payment_reviews" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "payment_reviews_open" ON "store"."payment_reviews" USING btree ("noted_at") WHERE reviewed_at is null;