import type { MedusaContainer } from '@medusajs/framework/types'
import { aisleOf, noteOrders, noteRefunds } from './orders.ts'

/** Runs after the buyer has the answer. */
export default async function onOrder({
  event,
  container,
}: {
  event: { name: string; data: { id: string } }
  container: MedusaContainer
}): Promise<void> {
  const { id } = event.data
  if (event.name === 'payment.refunded') await noteRefunds(container, { payment_id: id })
  else await noteOrders(container, { id })
  void aisleOf(container).send()
}

const subscribed = { event: ['order.placed', 'order.canceled', 'payment.refunded'] }

export { subscribed as config }
