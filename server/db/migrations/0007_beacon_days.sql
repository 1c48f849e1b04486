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
