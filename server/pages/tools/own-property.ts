import { Domain } from '../../../shared/web/address/domain.ts'
import { coveredBy, covers } from '../../access/covered-domains.ts'
import type { ApiKey } from '../../db/access/keys.ts'
import { listProperties } from '../../db/attribution/properties.ts'
import type { Db } from '../../db/connect.ts'

/** The newest property of the signed-in key, of the named domain; null for others. */
export async function findOwnProperty(db: Db, key: ApiKey | null, domain: string | undefined) {
  if (!key?.scopes.includes('report:read')) return null
  const listed = await listProperties(db, coveredBy(key.domains))
  return listed.find((each) => domain === undefined || each.domain === domain) ?? null
}

/** A domain of the signed-in key: the named one, or else that of its newest property. */
export async function findOwnDomain(
  db: Db,
  key: ApiKey | null,
  named: string | undefined,
): Promise<string | undefined> {
  const asked = Domain.safeParse(named).data
  if (asked !== undefined && key !== null && covers(key.domains, asked)) return asked
  return (await findOwnProperty(db, key, undefined))?.domain
}
