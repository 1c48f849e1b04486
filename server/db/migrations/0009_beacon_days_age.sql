-- index
CREATE INDEX CONCURRENTLY "beacon_days_age" ON "beacon_days" USING btree ("day") WHERE over_address + over_network + over_property = 0;