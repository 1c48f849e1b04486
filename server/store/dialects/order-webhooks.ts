import { createEnqueue } from '../outbox/enqueue.ts'
import { acpOrder } from './acp/order.ts'
import { NEWEST } from './acp/versions.ts'
import { orderEntity } from './ucp/order.ts'

/** The store's outbox of order webhooks: each official protocol shows an order in its own form. */
export const enqueue = createEnqueue({
  ucp_official: orderEntity,
  // Unspecified: the version before has no order that a webhook of its own could carry whole.
  acp_official: (order) => acpOrder(order, NEWEST),
})
