import type { Line, Quote } from './basket.ts'

export interface Cart extends Quote {
  checkout_id: string
  lines: readonly Line[]
  expires_at: string
}

/** Where carts wait for their confirmation. */
export interface Carts {
  keep(cart: Cart): Promise<void>
  /** Null when there is none of this id, or it has expired. */
  find(id: string): Promise<Cart | null>
}

/** Carts in memory: at most `most`, of which the oldest gives way, and each until it expires. */
export function memoryCarts(now: () => Date, most = 10_000): Carts {
  const carts = new Map<string, Cart>()
  const isOver = ({ expires_at }: Cart) => Date.parse(expires_at) <= now().getTime()
  return {
    async keep(cart) {
      // Insertion order is order of expiry: all carts live equally long.
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
