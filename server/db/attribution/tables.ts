import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time } from '../values.ts'

// Storefronts, and the data of a domain apart from its events.

/**
 * What the store of a domain calls its products, where their pages are and what they cost, as
 * stored audits have read it: reports show it with their ids.
 */
export const product_titles = pgTable(
  'product_titles',
  {
    domain: text().notNull(),
    /** As the catalog or the feed has it, of a product or a variant. */
    product_id: text().notNull(),
    /** A stranger's text, in one short line. */
    title: text().notNull(),
    /** Of its page, as landing pages are kept; null: it has none that is known. */
    path: text(),
    /** In the smallest unit of `currency`; null: it is not known. */
    price: bigint({ mode: 'number' }),
    currency: text(),
    /** When an audit first read this price. */
    price_since: time(),
    /** When an audit last read another one; null: never. */
    other_price_at: time(),
    /** When an audit last read it. */
    seen_at: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.product_id] }),
    index('product_titles_age').on(table.seen_at),
  ],
)

/** Storefronts that embed the snippet. Few, and found by their public id. */
export const properties = pgTable('properties', {
  id: text().primaryKey(),
  domain: text().notNull(),
  /** Such as `https://shop.example` or `https://*.shop.example`. */
  origins: text().array().notNull(),
  /** ISO 4217: what a value of the domain is in when its event names no currency. */
  currency: text(),
  /** IANA: the zone of the domain's days; null for UTC. */
  time_zone: text(),
  /** For how many days after its visit an order of the domain counts for it; null for one. */
  lookback_days: integer(),
  created_at: time().notNull(),
})

/** Lists of addresses that operators publish for their agents, as they were read. */
export const agent_ranges = pgTable(
  'agent_ranges',
  {
    /** The id of the list (`published-lists.ts`). */
    list: text().notNull(),
    /** The day from which it is known to be so. */
    since: date({ mode: 'string' }).notNull(),
    prefixes: text().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.list, table.since] })],
)

/** What a shop sold in all on a day, as it told: of which AI brought a share. */
export const shop_totals = pgTable(
  'shop_totals',
  {
    domain: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    currency: text().notNull(),
    orders: integer().notNull(),
    revenue: bigint({ mode: 'number' }).notNull(),
    reported_at: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.day, table.currency] })],
)

/**
 * The beacons of each storefront and day: how many were let through, and how many were set aside
 * because of which bound. Of who sent them it holds nothing.
 */
export const beacon_days = pgTable(
  'beacon_days',
  {
    domain: text().notNull(),
    /** In UTC, by our clock. */
    day: date({ mode: 'string' }).notNull(),
    property_id: text().notNull(),
    admitted: bigint({ mode: 'number' }).notNull(),
    over_address: bigint({ mode: 'number' }).notNull(),
    over_network: bigint({ mode: 'number' }).notNull(),
    over_property: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.day, table.property_id] }),
    // Days that go. Those that stay are not in it, so that no sweep passes them again.
    index('beacon_days_age')
      .on(table.day)
      .where(sql`over_address + over_network + over_property = 0`),
  ],
)

/**
 * The versions of attribution.js that pages still load: tags that are pinned to one keep working.
 */
export const snippet_versions = pgTable('snippet_versions', {
  /** The first 16 hex digits of the code's SHA-384. */
  version: text().primaryKey(),
  code: text().notNull(),
  created_at: time().notNull(),
  /** To the day. */
  last_used_at: time().notNull().defaultNow(),
})
