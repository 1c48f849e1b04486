DROP INDEX "store"."webhook_deliveries_due";--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "store"."webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "store"."webhook_deliveries" USING btree ("endpoint_id","next_at") WHERE next_at is not null;