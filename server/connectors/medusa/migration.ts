import { Migration } from '@medusajs/framework/mikro-orm/migrations'

export class Migration20261201000000 extends Migration {
  up(): void {
    this.addSql(`create table if not exists "aisle_report" (
      "id" text not null primary key,
      "event" jsonb not null,
      "tries" integer not null default 0,
      "outcome" text null,
      "created_at" timestamptz not null default now(),
      "updated_at" timestamptz not null default now(),
      "deleted_at" timestamptz null
    );`)
    this.addSql(`create index if not exists "IDX_aisle_report_waiting"
      on "aisle_report" ("tries", "created_at") where "outcome" is null;`)
  }

  down(): void {
    this.addSql('drop table if exists "aisle_report" cascade;')
  }
}
