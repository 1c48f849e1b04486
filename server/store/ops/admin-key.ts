import { carries } from '../../metrics/bearer.ts'
import { ucpRefusal } from '../http/refusals.ts'
import type { Reply } from '../http/store-request.ts'

/**
 * Null for the merchant, otherwise the error. Without a configured key every request is rejected.
 */
export function refuseUnlessAdmin(
  key: string | undefined,
  authorization: string | null,
): Reply | null {
  if (carries(key, authorization)) return null
  if (!key) {
    const message = 'This store has no admin key. Set STORE_ADMIN_KEY and start it again.'
    return ucpRefusal(403, { code: 'admin_key_not_set', message })
  }
  const message = 'Send the admin key in the header "Authorization: Bearer <STORE_ADMIN_KEY>".'
  const { headers, ...reply } = ucpRefusal(401, { code: 'unauthorized', message })
  return { ...reply, headers: { ...headers, 'www-authenticate': 'Bearer realm="store"' } }
}
