import { randomUUID } from 'node:crypto'
import type { Address } from '../../../../shared/commerce/product.ts'
import type { CheckoutItem } from '../../../../shared/protocols/ucp.ts'
import { type CheckoutSession, type SessionItem, sessions, type Tx } from '../../db/tables.ts'
import { readShelf } from '../../shop/inventory.ts'
import { DAYS_UNTIL_AVAILABLE } from '../../shop/settings.ts'
import {
  type CheckoutAnswer,
  type CheckoutRefusal,
  createdBody,
  refusalAnswer,
  updatedBody,
} from '../answers.ts'
import type { StoreDeps } from '../deps.ts'
import {
  claimKey,
  findAnswer,
  type IdempotentCall,
  releaseKey,
  saveAnswer,
} from '../idempotency.ts'
import { changeSession, isOver, lockSession } from '../sessions.ts'
import { fillBasket, type Line, MAX_LINES, quote } from './basket.ts'
import { checkoutEvent } from './settle.ts'

const DAY_MS = 24 * 60 * 60_000

/** A checkout that is asked for, its address judged. */
export interface NewCheckout {
  protocol: CheckoutSession['protocol']
  host: string
  /** Who is counted: no more than a hash. */
  buyer: string
  keyed: IdempotentCall | null
  items: readonly CheckoutItem[]
  address: Address
  attribution: Record<string, string> | null
  minutes: number
  /** Prices it, and neither keeps nor counts it. */
  dryRun: boolean
}

/** What counts a buyer's checkouts: the seconds to wait when there were too many, else null. */
export type CountCheckout = (buyer: string) => Promise<number | null>

/** Opens a session: the spec's UCP cart or ACP create response, or why there is none. */
export async function createSession(
  deps: Pick<StoreDeps, 'db' | 'now' | 'report'>,
  count: CountCheckout,
  checkout: NewCheckout,
): Promise<CheckoutAnswer> {
  const { protocol, keyed, buyer, dryRun } = checkout
  const now = deps.now()
  const known = keyed && (await findAnswer(deps.db, keyed, now))
  if (keyed && known && known.is !== 'new') return knownAnswer(protocol, known)
  if (dryRun) {
    const session = await price(deps.db, checkout, now)
    return 'code' in session ? refusalAnswer(protocol, session) : created(session)
  }
  const wait = await count(buyer)
  if (wait !== null) return refusalAnswer(protocol, { ...TOO_MANY, retryAfter: wait })
  const { answer, session } = await deps.db.transaction((tx) => open(tx, checkout, now))
  if (session) deps.report(checkoutEvent('ai_checkout_initiated', session, now))
  return answer
}

const TOO_MANY = {
  code: 'rate_limited',
  message: 'Too many checkouts for this buyer. Please wait a while and try again.',
} as const

// Unspecified: HTTP statuses of success. 200 throughout.
const created = (session: CheckoutSession): CheckoutAnswer => ({
  status: 200,
  body: createdBody(session),
})

async function open(
  tx: Tx,
  checkout: NewCheckout,
  now: Date,
): Promise<{ answer: CheckoutAnswer; session?: CheckoutSession }> {
  const { protocol, keyed } = checkout
  if (keyed && !(await claimKey(tx, keyed, now))) {
    return { answer: knownAnswer(protocol, await findAnswer(tx, keyed, now)) }
  }
  const session = await price(tx, checkout, now)
  const answer = 'code' in session ? refusalAnswer(protocol, session) : created(session)
  // What cannot be read may be mended and sent under the same key.
  const isKept = !('code' in session) || session.code === 'out_of_stock'
  if (keyed) await (isKept ? saveAnswer(tx, keyed, answer) : releaseKey(tx, keyed))
  if ('code' in session) return { answer }
  await tx.insert(sessions).values(session)
  return { answer, session }
}

/** The session that these items make, at the prices and with the stock of this moment. */
async function price(
  db: StoreDeps['db'] | Tx,
  checkout: NewCheckout,
  now: Date,
): Promise<CheckoutSession | CheckoutRefusal> {
  const { protocol, host, buyer, items, address, attribution, minutes, keyed } = checkout
  const shelf = await readShelf(db, idsOf(items))
  const lines = fillBasket(items, shelf)
  if ('code' in lines) return lines
  const { subtotal, tax, shipping_options } = quote(lines, address.country)
  if (subtotal.amount > MAX_SUBTOTAL) return { code: 'too_many_items', message: TOO_DEAR }
  return {
    id: `checkout_${randomUUID()}`,
    protocol,
    status: 'pending_confirmation',
    host,
    buyer,
    items: lines.map((line) => itemOf(line, now)),
    address,
    currency: subtotal.currency,
    subtotal: subtotal.amount,
    tax: tax.amount,
    shipping_options,
    shipping_option_id: null,
    confirmed_option_id: null,
    attribution,
    created_at: now,
    expires_at: new Date(now.getTime() + minutes * 60_000),
    completing_since: null,
    declines: 0,
    create_key: keyed?.key ?? null,
  }
}

/** Far beyond what a PSP charges at once, and within what the database counts. */
const MAX_SUBTOTAL = 1_000_000_000
const TOO_DEAR = 'This cart exceeds the maximum order value. Split it into two orders.'

/** A cart of more lines is refused whatever it holds. */
const idsOf = (items: NewCheckout['items']): string[] => [
  ...new Set(items.slice(0, MAX_LINES).map(({ product_id }) => product_id)),
]

function itemOf({ article, offer, quantity }: Line, now: Date): SessionItem {
  const waits = offer.availability === 'preorder' || offer.availability === 'backorder'
  const available = new Date(now.getTime() + DAYS_UNTIL_AVAILABLE * DAY_MS)
  return {
    product_id: article.id,
    variant_id: offer.id === article.id ? null : offer.id,
    name: article.name,
    quantity,
    unit_price: offer.price,
    available_on: waits ? available.toISOString().slice(0, 10) : null,
  }
}

/** The answer of a key that was used before. */
export function knownAnswer(
  protocol: CheckoutSession['protocol'],
  known: Awaited<ReturnType<typeof findAnswer>>,
): CheckoutAnswer {
  if (known.is === 'conflict') {
    return refusalAnswer(protocol, {
      code: 'idempotency_conflict',
      message: 'This idempotency key was already used with a different body. Send a new key.',
    })
  }
  return known.is === 'known' && known.answer
    ? { ...known.answer, replayed: true }
    : refusalAnswer(protocol, { ...IN_FLIGHT, retryAfter: 1 })
}

export const IN_FLIGHT = {
  code: 'idempotency_in_flight',
  message: 'This checkout is still being processed. Send the same request again.',
} as const

/** Changes the shipping option of an ACP session: the spec's update response. */
export async function updateSession(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  id: string,
  shippingOptionId: string | undefined,
): Promise<CheckoutAnswer> {
  const now = deps.now()
  return deps.db.transaction(async (tx) => {
    const session = await lockSession(tx, id)
    if (session?.protocol !== 'acp') return refusalAnswer('acp', NO_SESSION)
    const closed = await closedRefusal(tx, session, now)
    if (closed) return refusalAnswer('acp', closed)
    const shipping_option_id = shippingOptionId ?? session.shipping_option_id
    const isKnown = session.shipping_options.some(({ id: each }) => each === shipping_option_id)
    if (shipping_option_id !== null && !isKnown) return refusalAnswer('acp', unknownOption(session))
    const changed = await changeSession(tx, session, 'update', { shipping_option_id })
    return { status: 200, body: updatedBody(changed) }
  })
}

export const NO_SESSION = {
  code: 'session_not_found',
  message: 'There is no such checkout. Create a new one.',
} as const

/** Why a locked session takes no change; a session whose time is over ends here. */
export async function closedRefusal(
  tx: Tx,
  session: CheckoutSession,
  now: Date,
): Promise<CheckoutRefusal | null> {
  const { status } = session
  if (status === 'expired' || (status === 'pending_confirmation' && isOver(session, now))) {
    if (status !== 'expired') await changeSession(tx, session, 'expire')
    return {
      code: 'session_expired',
      message: 'This checkout has expired, and nothing was charged. Create a new one.',
    }
  }
  if (status === 'pending_confirmation') return null
  return {
    code: 'session_closed',
    message:
      'This checkout is being paid or has already been paid, so it can no longer be changed.',
  }
}

export function unknownOption({ shipping_options }: CheckoutSession): CheckoutRefusal {
  const ids = shipping_options.map((option) => option.id).join(', ')
  return { code: 'invalid', message: `Set shipping_option_id to one of ${ids}.` }
}
