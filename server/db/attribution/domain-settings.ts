import { LRUCache } from 'lru-cache'
import type { Sql } from 'postgres'
import { withOrWithoutWww } from '../../../shared/web/address/domain.ts'
import { dayIn } from '../../../shared/web/moment.ts'
import type { Db } from '../connect.ts'
import type { PropertyRow } from './properties.ts'

/** What properties say of their domain as a whole. */
type Setting = 'currency' | 'time_zone' | 'lookback_days'
type ValueOf<Name extends Setting> = NonNullable<PropertyRow[Name]>

// Unspecified: of several properties of a domain, the newest that has a setting decides it; one of
// the same site with or without www does as well. What was counted before a change stays.

/** The setting of these domains; those that have none are left out. */
export async function findSetting<Name extends Setting>(
  pool: Sql,
  name: Name,
  domains: readonly string[],
): Promise<Map<string, ValueOf<Name>>> {
  const found = new Map<string, ValueOf<Name>>()
  if (domains.length === 0) return found
  const column: string = name
  const rows = await pool<{ domain: string; value: ValueOf<Name> }[]>`
    select domain, ${pool(column)} as value from properties
    where domain = any(${domains.flatMap(withOrWithoutWww)}) and ${pool(column)} is not null
    order by created_at desc, id`
  for (const domain of domains) {
    const [own, twin] = withOrWithoutWww(domain)
    const row =
      rows.find((each) => each.domain === own) ?? rows.find((each) => each.domain === twin)
    if (row !== undefined) found.set(domain, row.value)
  }
  return found
}

/** The zones of domains that have one; the others count in UTC. */
export type TimeZones = ReadonlyMap<string, string>

/** The time zones of these domains; those that have none are left out. */
export const findTimeZones = (pool: Sql, domains: readonly string[]): Promise<TimeZones> =>
  findSetting(pool, 'time_zone', domains)

/** The day in a domain's zone. */
export const shopDay = async (
  db: Pick<Db, '$client'>,
  domain: string,
  now: Date,
): Promise<string> => dayIn(now.getTime(), (await findTimeZones(db.$client, [domain])).get(domain))

/** How long a setting that was looked up is taken as it was. */
const REMEMBERED_MS = 5000
/** How often lru-cache reads the time: each reading costs a timer. */
const TICK_MS = 100
/** More domains than have events at a time. */
const MOST_REMEMBERED = 10_000

/**
 * `findSetting` that remembers for a few seconds: settings hardly ever change, and batches are
 * many.
 */
export function rememberSetting<Name extends Setting>(
  pool: Sql,
  name: Name,
): (domains: readonly string[]) => Promise<ReadonlyMap<string, ValueOf<Name>>> {
  const known = new LRUCache<string, { value?: ValueOf<Name> | undefined }>({
    max: MOST_REMEMBERED,
    ttl: REMEMBERED_MS,
    ttlResolution: TICK_MS,
  })
  return async (domains) => {
    const settings = new Map([...new Set(domains)].map((domain) => [domain, known.get(domain)]))
    const unknown = [...settings].flatMap(([domain, kept]) => (kept === undefined ? [domain] : []))
    const found = await findSetting(pool, name, unknown)
    for (const domain of unknown) {
      const kept = { value: found.get(domain) }
      settings.set(domain, kept)
      known.set(domain, kept)
    }
    return new Map(
      [...settings].flatMap(([domain, kept]) =>
        kept?.value === undefined ? [] : [[domain, kept.value] as const],
      ),
    )
  }
}
