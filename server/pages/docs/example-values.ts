import { coveredBy } from '../../access/covered-domains.ts'
import { keyBegins } from '../../access/key-format.ts'
import type { ApiKey } from '../../db/access/keys.ts'
import { listDomains, listProperties } from '../../db/attribution/properties.ts'
import { listAllDomains, listAudits } from '../../db/audit/audits.ts'
import { listWalks } from '../../db/audit/walks.ts'
import type { Db } from '../../db/connect.ts'
import { listChannels } from '../../db/watch/channels.ts'
import { listIncidents } from '../../db/watch/incidents.ts'
import { EXAMPLE_DOMAIN, type ExampleValues, type NamedThing } from './curl.ts'

/** For who is not signed in. */
export const ANYBODY: ExampleValues = { key: 'aisle_live_…', domain: EXAMPLE_DOMAIN, ids: {} }

/** What the examples of a signed-in key are filled in with: its own shop, and its newest things. */
export async function exampleValuesOf(
  db: Db,
  key: Pick<ApiKey, 'id' | 'domains' | 'scopes'>,
  things: readonly NamedThing[],
): Promise<ExampleValues> {
  const [named] = await listDomains(db, key.domains, coveredBy(key.domains))
  // An operator's key names no domain.
  const [audited] =
    named === undefined && key.domains.includes('*') ? await listAllDomains(db, 1) : []
  const domain = named ?? audited ?? EXAMPLE_DOMAIN
  const found = await Promise.all(
    things.map(async (thing): Promise<[NamedThing, string | undefined]> => {
      const find = FINDERS[thing]
      const isAllowed = key.scopes.includes(thing === 'property' ? 'report:read' : 'audit')
      return [thing, find && isAllowed ? await find(db, domain) : undefined]
    }),
  )
  return {
    key: `${keyBegins(key.id)}…`,
    domain,
    ids: Object.fromEntries(found.filter(([, id]) => id !== undefined)),
  }
}

const FINDERS: Partial<
  Record<NamedThing, (db: Db, domain: string) => Promise<string | undefined>>
> = {
  audit: async (db, domain) => (await listAudits(db, domain, { limit: 1 }))[0]?.id,
  walk: async (db, domain) => (await listWalks(db, domain, 1))[0]?.id,
  property: async (db, domain) => (await listProperties(db, [domain]))[0]?.id,
  channel: async (db, domain) => (await listChannels(db, domain))[0]?.id,
  incident: async (db, domain) => (await listIncidents(db, domain, { limit: 1 }))[0]?.id,
}
