import type { Db } from '../db/connect.ts'
import { service_keys } from '../db/signatures/tables.ts'
import type { PublicJwk } from './jwk.ts'
import { type KeyRing, keyRing } from './keys.ts'

/**
 * The keys that the service signs its own requests with: Ed25519 for what any site reads (Web Bot
 * Auth), and ES256, which every verifier of UCP knows.
 */
export const SERVICE_KEYS: Record<'web' | 'ucp', KeyRing> = {
  web: keyRing(service_keys, 'EdDSA'),
  ucp: keyRing(service_keys, 'ES256'),
}

/** What our profile as an agent publishes: a verifier may know either kind. */
export const profileKeys = async (db: Db, now: Date): Promise<PublicJwk[]> => [
  ...(await SERVICE_KEYS.ucp.published(db, now)),
  ...(await SERVICE_KEYS.web.published(db, now)),
]
