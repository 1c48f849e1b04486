import { LRUCache } from 'lru-cache'
import type { Sql } from 'postgres'
import { withOrWithoutWww } from '../../../shared/web/address/domain.ts'
import { dayIn } from '../../../shared/web/moment.ts'
import type { Db } from '../connect.ts'

/** The zones of domains that have one; the others count in UTC. */
export type TimeZones = ReadonlyMap<string, string>

// Unspecified: the days of a domain are those of the time zone that its newest property with one
// names, of the site with or without www. Days that were counted before a change stay.

/** The time zones of these domains; those that have none are left out. */
export async function findTimeZones(pool: Sql, domains: readonly string[]): Promise<TimeZones> {
  const found = new Map<string, string>()
  if (domains.length === 0) return found
  const rows = await pool<{ domain: string; time_zone: string }[]>`
    select domain, time_zone from properties
    where domain = any(${domains.flatMap(withOrWithoutWww)}) and time_zone is not null
    order by created_at desc, id`
  for (const domain of domains) {
    const [own, twin] = withOrWithoutWww(domain)
    const row =
      rows.find((each) => each.domain === own) ?? rows.find((each) => each.domain === twin)
    if (row !== undefined) found.set(domain, row.time_zone)
  }
  return found
}

/** The day in a domain's zone. */
export const shopDay = async (
  db: Pick<Db, '$client'>,
  domain: string,
  now: Date,
): Promise<string> => dayIn(now.getTime(), (await findTimeZones(db.$client, [domain])).get(domain))

/** How long a zone that was looked up is taken as it was. */
const REMEMBERED_MS = 5000
/** How often lru-cache reads the time: each reading costs a timer. */
const TICK_MS = 100
/** More domains than have events at a time. */
const MOST_REMEMBERED = 10_000

/** Of a domain that has none. */
const NO_ZONE = ''

/**
 * `findTimeZones` that remembers for a few seconds: zones hardly ever change, and batches are many.
 */
export function rememberTimeZones(pool: Sql): (domains: readonly string[]) => Promise<TimeZones> {
  const known = new LRUCache<string, string>({
    max: MOST_REMEMBERED,
    ttl: REMEMBERED_MS,
    ttlResolution: TICK_MS,
  })
  return async (domains) => {
    const zones = new Map([...new Set(domains)].map((domain) => [domain, known.get(domain)]))
    const unknown = [...zones].flatMap(([domain, zone]) => (zone === undefined ? [domain] : []))
    const found = await findTimeZones(pool, unknown)
    for (const domain of unknown) {
      const zone = found.get(domain) ?? NO_ZONE
      zones.set(domain, zone)
      known.set(domain, zone)
    }
    return new Map([...zones].flatMap(([domain, zone]) => (zone ? [[domain, zone] as const] : [])))
  }
}
