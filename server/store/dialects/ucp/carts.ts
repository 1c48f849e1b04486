import type { Line } from '../../checkout/steps/basket.ts'
import type { Quote } from '../../checkout/steps/price.ts'

/** What is kept for a while, by its id. */
export interface Kept {
  checkout_id: string
  expires_at: string
}

export interface Cart extends Kept, Quote {
  lines: readonly Line[]
}

/** Where carts wait for their confirmation. */
export interface Carts<T extends Kept = Cart> {
  /** Replaces what was stored under this id. */
  keep(cart: T): Promise<void>
  /** Null when there is none of this id, or it has expired. */
  find(id: string): Promise<T | null>
}

/**
 * Carts in memory: at most `most`, beyond which the oldest is dropped, and each until it expires.
 */
export function memoryCarts<T extends Kept = Cart>(now: () => Date, most = 10_000): Carts<T> {
  const carts = new Map<string, T>()
  const isOver = ({ expires_at }: Kept) => Date.parse(expires_at) <= now().getTime()
  return {
    async keep(cart) {
      carts.delete(cart.checkout_id)
      // Insertion order is order of expiry: all carts live equally long from when they are kept.
      for (const [id, oldest] of carts) {
        if (carts.size < most && !isOver(oldest)) break
        carts.delete(id)
      }
      carts.set(cart.checkout_id, cart)
    },
    async find(id) {
      const cart = carts.get(id)
      return cart === undefined || isOver(cart) ? null : cart
    },
  }
}
