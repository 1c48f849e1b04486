import { Webhook } from 'standardwebhooks'
import { UCP_PATHS } from '../../../shared/protocols/spec/ucp.ts'
import type { Db } from '../../db/connect.ts'
import type { KeyRing } from '../../signatures/keys.ts'
import { originOf } from '../http/store-request.ts'
import { findOrder } from '../orders/orders.ts'
import { webhookHeaders } from '../signatures/webhook.ts'
import type { Delivery } from './deliveries.ts'
import type { WebhookEndpointRow } from './endpoints.ts'
import { merchantSignature } from './merchant-signature.ts'

/** The headers of one try, newly signed; the message's id is the same for all tries. */
export async function headersOf(
  { db, signingKeys }: { db: Db; signingKeys: KeyRing },
  { format, url, secret }: WebhookEndpointRow,
  { message_id, payload, created_at, order_id }: Delivery,
  at: Date,
): Promise<Record<string, string>> {
  if (format === 'standard') {
    return {
      'webhook-id': message_id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(message_id, at, payload),
    }
  }
  if (format === 'acp') {
    return {
      'merchant-signature': merchantSignature(secret, payload, at),
      // Unspecified: ACP does not say how to recognise a repeated webhook: it has the same
      // Request-Id.
      'request-id': message_id,
      timestamp: at.toISOString(),
    }
  }
  const order = await findOrder(db, order_id ?? '')
  if (order === undefined) throw new Error(`The order of the webhook ${message_id} is gone.`)
  const profileUrl = `${originOf(order.host)}${UCP_PATHS.manifest}`
  const message = { url, body: payload, id: message_id, at: created_at, profileUrl }
  return webhookHeaders(message, await signingKeys.current(db, at), at)
}
