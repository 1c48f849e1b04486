import { getTableName } from 'drizzle-orm'
import {
  ai_sessions,
  api_keys,
  audit_runs,
  audits,
  badges,
  beacon_days,
  dropped_months,
  event_keys,
  events,
  product_titles,
  properties,
  rate_limits,
  rollup_daily,
  rollup_listed,
  rollup_named,
  rollup_names,
  rollup_weekly,
  shares,
  shop_totals,
  snippet_versions,
  walk_events,
  walk_sessions,
  walks,
  web_sessions,
} from './tables.ts'

/** Rows of many domains: split over the nodes by `domain`. */
export const TENANT_TABLES: string[] = [
  events,
  event_keys,
  ai_sessions,
  rollup_daily,
  rollup_names,
  rollup_named,
  rollup_listed,
  rollup_weekly,
  shop_totals,
  beacon_days,
  audits,
  audit_runs,
  product_titles,
  badges,
  walks,
  walk_events,
  walk_sessions,
].map(getTableName)

/** Few rows, and looked up by other keys than the domain: a copy on each node. */
export const REFERENCE_TABLES: string[] = [
  api_keys,
  properties,
  dropped_months,
  web_sessions,
  shares,
  snippet_versions,
].map(getTableName)

/**
 * Stay on the coordinator, to which each replica of the service connects. Limits count up with
 * every request: a reference table would write each count on every node.
 */
export const LOCAL_TABLES: string[] = [rate_limits].map(getTableName)

/**
 * The column that decides on which node a row is (https://docs.citusdata.com, distribution column).
 */
const KEY = 'domain'

/**
 * The statements that spread a migrated database over a Citus cluster, in the order to run them.
 * The tenant tables are placed like the first of them, so that a domain's rows share a node.
 */
export function shardStatements(): string[] {
  const [first, ...others] = TENANT_TABLES
  return [
    'create extension if not exists citus',
    ...REFERENCE_TABLES.map((name) => `select create_reference_table('${name}')`),
    `select create_distributed_table('${first}', '${KEY}')`,
    ...others.map(
      (name) => `select create_distributed_table('${name}', '${KEY}', colocate_with => '${first}')`,
    ),
  ]
}
