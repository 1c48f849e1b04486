import { getTableName } from 'drizzle-orm'
import { api_keys, rate_limits, shares, site_access, web_sessions } from '../access/tables.ts'
import {
  agent_ranges,
  beacon_days,
  product_titles,
  properties,
  shop_totals,
  snippet_versions,
} from '../attribution/tables.ts'
import {
  audit_runs,
  audits,
  badges,
  walk_events,
  walk_pictures,
  walk_sessions,
  walks,
} from '../audit/tables.ts'
import {
  ai_sessions,
  dropped_months,
  event_keys,
  events,
  rollup_daily,
  rollup_listed,
  rollup_named,
  rollup_names,
  rollup_weekly,
  waiting_refunds,
} from '../events/tables.ts'
import { fetch_days, fetch_hours } from '../fetches/tables.ts'
import { service_keys, service_nonces } from '../signatures/tables.ts'
import {
  incidents,
  notices,
  status_pages,
  watch_answers,
  watch_channels,
  watch_deliveries,
  watch_looks,
  watches,
} from '../watch/tables.ts'

/** The column that decides on which node of a cluster a row is. */
export const SHARD_KEY = 'domain'

/**
 * Rows of many domains: split over the nodes by `domain`, all in the same way, so that what belongs
 * to one domain is together and a statement about it needs one node. The first is the one that the
 * others are placed like.
 */
export const TENANT_TABLES: readonly string[] = [
  event_keys,
  events,
  waiting_refunds,
  ai_sessions,
  rollup_daily,
  rollup_names,
  rollup_named,
  rollup_listed,
  rollup_weekly,
  shop_totals,
  beacon_days,
  fetch_days,
  fetch_hours,
  audits,
  audit_runs,
  product_titles,
  badges,
  site_access,
  walks,
  walk_events,
  walk_pictures,
  walk_sessions,
  watch_looks,
  watch_answers,
  incidents,
  notices,
  status_pages,
].map(getTableName)

/** The table whose shards stand for all tables. */
export const ANCHOR = getTableName(event_keys)

/**
 * Stay on the coordinator, to which each replica of the service connects, each for its reason. None
 * is a reference table, with a copy on each node: each write to it needs all nodes, so sign-in and
 * new keys or properties would fail while one of them is down. No statement joins them with a
 * tenant table.
 */
export const LOCAL_TABLES: Readonly<Record<string, string>> = reasons([
  [api_keys, 'few rows; looked up by the id in the key, and one key may have several domains'],
  [properties, 'few rows; a beacon names the property, not the domain'],
  [dropped_months, 'a row per month, of all domains'],
  [web_sessions, 'few rows; a browser names the session, not the domain'],
  [shares, 'few rows; a link names itself, not the domain'],
  [snippet_versions, 'a row per release; no domain'],
  [watches, 'a row per watched domain; what is due is looked for over all of them'],
  [watch_channels, 'few rows; a feed and a confirmation name the channel, not the domain'],
  [watch_deliveries, 'few rows that are due; they are looked for over all domains'],
  [service_keys, 'few rows; they are the service’s own'],
  [service_nonces, 'named by signers, mostly before a domain is known'],
  [agent_ranges, 'a row per copy of a list; no domain'],
  [rate_limits, 'counts up with every request, mostly before a domain is known'],
])

type Table = Parameters<typeof getTableName>[0]

function reasons(tables: readonly (readonly [Table, string])[]): Record<string, string> {
  return Object.fromEntries(tables.map(([table, why]) => [getTableName(table), why]))
}
