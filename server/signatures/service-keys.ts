import type { Db } from '../db/connect.ts'
import type { Sealer } from '../db/sealing/seal.ts'
import { service_keys } from '../db/signatures/tables.ts'
import type { PublicJwk } from './jwk.ts'
import { type KeyRing, keyRing } from './keys.ts'

/**
 * The keys that the service signs its own requests with: Ed25519 for what any site reads (Web Bot
 * Auth), and ES256, which every verifier of UCP knows.
 */
export type ServiceKeys = Record<'web' | 'ucp', KeyRing>

export const serviceKeys = (sealer: Sealer): ServiceKeys => ({
  web: keyRing(service_keys, 'EdDSA', sealer),
  ucp: keyRing(service_keys, 'ES256', sealer),
})

/** What our profile as an agent publishes: a verifier may know either kind. */
export const profileKeys = async (
  { web, ucp }: ServiceKeys,
  db: Db,
  now: Date,
): Promise<PublicJwk[]> => [...(await ucp.published(db, now)), ...(await web.published(db, now))]
