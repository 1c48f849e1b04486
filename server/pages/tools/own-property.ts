import { coveredBy } from '../../access/covered-domains.ts'
import type { ApiKey } from '../../db/access/keys.ts'
import { listProperties } from '../../db/attribution/properties.ts'
import type { Db } from '../../db/connect.ts'

/** The newest property of the signed-in key, of the named domain; null for others. */
export async function findOwnProperty(db: Db, key: ApiKey | null, domain: string | undefined) {
  if (!key?.scopes.includes('report:read')) return null
  const listed = await listProperties(db, coveredBy(key.domains))
  return listed.find((each) => domain === undefined || each.domain === domain) ?? null
}
