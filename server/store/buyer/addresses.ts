import { hash } from 'node:crypto'
import type { CheckoutItem } from '../../../shared/protocols/spec/ucp.ts'
import type { Order } from '../db/tables.ts'
import { originOf } from '../http/store-request.ts'
import { BASKET_PATH } from '../shop/settings.ts'

/** Where buyers finish a checkout that an agent began, below the origin of the shop. */
export const BUYER_PATHS = {
  checkout: '/checkout',
  /** The page of a 3DS challenge, which platforms of official UCP open. */
  challenge: '/3ds',
  /** The endpoint that official UCP's profile declares for `dev.ucp.shopping.permalink`. */
  permalink: '/permalink',
} as const

interface Placed {
  host: string
  id: string
}

export const checkoutPath = ({ id }: Pick<Placed, 'id'>): string => `${BUYER_PATHS.checkout}/${id}`

/** The `continue_url` of a session: a page on which its buyer finishes it. */
export const checkoutUrl = ({ host, id }: Placed): string =>
  `${originOf(host)}${checkoutPath({ id })}`

/** Items as links have them: `ao-1101:2,ao-1204:1`. */
const pairsOf = (items: readonly CheckoutItem[]): string =>
  items
    .map(({ product_id, variant_id, quantity }) => `${variant_id ?? product_id}:${quantity}`)
    .join(',')

/** The `continue_url` of a cart: a page on which its buyer checks out what is in it. */
export const cartUrl = (host: string, items: readonly CheckoutItem[]): string =>
  originOf(host) + (items.length === 0 ? '/' : `${BUYER_PATHS.permalink}/${pairsOf(items)}`)

/** The same in a shop without permalinks: a link that fills the basket of a browser. */
export const basketUrl = (host: string, items: readonly CheckoutItem[]): string =>
  `${originOf(host)}${BASKET_PATH}?items=${pairsOf(items)}`

/** The address to which a bank sends the buyer of a session after a challenge. */
export const challengeReturnUrl = (session: Placed): string => `${checkoutUrl(session)}/return`

/** The entry of an official UCP checkout in `actions` while a payment waits for its challenge. */
export interface ChallengeAction {
  /** The id of this payment; another try has another id. */
  id: string
  /** `config.url`: the page that the platform opens. */
  url: string
}

/**
 * The challenge that an order's payment waits for; null if it waits for none. `origin` is the
 * shop's, such as `https://shop.example`. Unspecified: an Action's id is made from its order and
 * its payment: each try has its own, nothing is stored for it, and its page only opens for those
 * who got the id.
 */
export const actionOf = (order: Order, origin: string): ChallengeAction | null => {
  if (order.status !== 'awaiting_payment' || order.challenge_url === null) return null
  const id = actionId(order)
  return { id, url: `${origin}${BUYER_PATHS.challenge}/${id}` }
}

export const actionId = ({ id, payment_id }: Order): string =>
  `act_${id.replace(/^order_/, '')}_${hash('sha256', `${id} ${payment_id}`).slice(0, 32)}`
