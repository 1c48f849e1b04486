import type { MerchantMove } from '../../store/orders/moves.ts'

/** What a merchant does with an order, by the name of its command. */
export const ORDER_MOVES: Record<string, { to: MerchantMove; description: string }> = {
  process: { to: 'processing', description: 'mark an order as being packed' },
  ship: { to: 'shipped', description: 'mark an order as shipped, and send webhooks' },
  deliver: { to: 'delivered', description: 'mark an order as delivered, and send webhooks' },
  cancel: { to: 'canceled', description: 'cancel an order, refund it, and send webhooks' },
  return: { to: 'returned', description: 'mark an order as returned' },
}
