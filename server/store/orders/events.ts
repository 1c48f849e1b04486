/** What befalls an order that a fulfillment webhook can be asked for (`webhook_endpoints.events`). */
export const ORDER_EVENTS = [
  'order.confirmed',
  'order.shipped',
  'order.delivered',
  'order.canceled',
] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]
