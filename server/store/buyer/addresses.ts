import { originOf } from '../http/origin.ts'

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

/** The address to which a bank sends the buyer of a session after a challenge. */
export const challengeReturnUrl = (session: Placed): string => `${checkoutUrl(session)}/return`
