CREATE TABLE "dropped_months" (
	"month" text PRIMARY KEY NOT NULL
);
