/** Why a cart did not become an order, in Aisle's words. Null: it did, or the buyer goes on. */
export function reasonOf(body: unknown): string | null {
  const { type, code, message, error } = Object(body)
  // Where stock is reserved, the inventory module refuses in words alone (inventory-module, 2.21).
  const isOut = code === 'insufficient_inventory' || /^Not enough stock /.test(String(message))
  if (isOut) return 'out_of_stock'
  const isDeclined = type === 'cart' && Object(error).type === 'payment_authorization_error'
  return isDeclined ? 'payment_declined' : null
}
