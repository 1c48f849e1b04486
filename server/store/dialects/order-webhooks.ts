import { createEnqueue } from '../outbox/enqueue.ts'
import { acpWebhookOrder } from './acp/order.ts'
import { orderEntity } from './ucp/order.ts'

/** The store's outbox of order webhooks: each official protocol shows an order in its own form. */
export const enqueue = createEnqueue({ ucp_official: orderEntity, acp_official: acpWebhookOrder })
