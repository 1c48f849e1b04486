import { randomUUID } from 'node:crypto'
import { ORDER } from '../../../../shared/protocols/ucp/names.ts'
import { UCP } from '../../../../shared/protocols/ucp/versions.ts'
import type { Db } from '../../../db/connect.ts'
import { useNonce } from '../../../signatures/nonces.ts'
import { KEPT_MS } from '../../checkout/idempotency.ts'
import { isPlaced, OFFICIAL_UCP } from '../../db/statuses.ts'
import { type Order, type OrderMoment, type SessionItem, used_nonces } from '../../db/tables.ts'
import { type JsonObject, originOf } from '../../http/store-request.ts'
import { findOrder, lineId, receiptUrl } from '../../orders/orders.ts'
import { findArticle, imagePath } from '../../shop/assortment.ts'
import { adjustmentsOf } from '../order-history.ts'
import { ucpTotal } from './checkout-view.ts'
import { selectedOf, shownOf, withAddress } from './destination.ts'
import { type Agreed, type UcpAnswer, ucpFailure, ucpOf } from './envelope.ts'
import { knownProfile } from './negotiation/caller.ts'

/** A call that asks for an order. */
export interface OrderContext extends Agreed {
  deps: { db: Db; now: () => Date }
  /** The profile that signed the request; null if it is not signed. */
  signedBy: string | null
  /** The nonce of its signature, if it has one. */
  nonce: string | null
  /** For development: a caller without a signature counts as the profile that it names. */
  trustsProfiles: boolean
}

/**
 * `get_order`: an order, for the platform that it was bought through (UCP, Order: Authorization).
 * Other callers learn nothing, not even whether the order exists.
 */
export async function getUcpOrder(context: OrderContext, id: string): Promise<UcpAnswer> {
  const { deps, negotiated } = context
  const asker = knownProfile(context)
  if (asker === null) {
    return ucpFailure(
      context,
      'unauthorized',
      'Sign the request with a key of the profile that the order was placed with.',
    )
  }
  const order = await findOrder(deps.db, id)
  const isTheirs = order?.protocol === OFFICIAL_UCP && order.official?.platform === asker
  if (order === undefined || !isTheirs || !isPlaced(order.status)) {
    return ucpFailure(context, 'not_found', 'There is no such order.')
  }
  // Last, so that only the platform of an order makes us remember anything.
  if (!(await isFirstUse(context, asker))) {
    return ucpFailure(
      context,
      'unauthorized',
      'The nonce of the signature was used before. Sign each request anew.',
    )
  }
  return { status: 200, body: { ucp: ucpOf(negotiated, 'success', ORDER), ...showOrder(order) } }
}

/** How long a nonce is kept: as long as a signature is accepted, and ten minutes for clocks. */
const NONCE_MS = KEPT_MS + 10 * 60_000

// Unspecified: a nonce opens an order once: who has seen a signed request reads nothing by sending
// it again. UCP asks for no nonce, and a signature without one may be repeated while it is valid.
const isFirstUse = async (
  { deps: { db, now }, nonce }: OrderContext,
  signer: string,
): Promise<boolean> =>
  nonce === null ||
  useNonce(
    db,
    used_nonces,
    { signer, nonce, until: new Date(now().getTime() + NONCE_MS) },
    randomUUID(),
    now(),
  )

/** The whole order in the version of its session, as webhooks send it (UCP, Order: Events). */
export function orderEntity(order: Order): JsonObject {
  const version = order.official?.version ?? UCP.newest
  const ucp = { version, status: 'success', capabilities: { [ORDER]: [{ version }] } }
  return { ucp, ...showOrder(order) }
}

/** An order has the same members in both versions that the store speaks. */
function showOrder(order: Order): JsonObject {
  const { history } = order
  return {
    id: order.id,
    label: order.confirmation_number,
    checkout_id: order.session_id,
    permalink_url: receiptUrl(order),
    currency: order.currency,
    line_items: order.items.map((item, index) => lineItem(order, item, index)),
    fulfillment: {
      expectations: expectationsOf(order),
      events: history.flatMap((moment) => fulfillmentEvent(order, moment)),
    },
    // A reduction of quantities has a negative sign.
    adjustments: adjustmentsOf(order, linesOf(order, -1), (amount) => ({
      totals: [ucpTotal('total', -amount)],
    })),
    totals: [
      ucpTotal('subtotal', order.subtotal, 'Subtotal'),
      ucpTotal('fulfillment', order.shipping.cost.amount, order.shipping.name),
      ucpTotal('tax', order.tax, 'Tax'),
      ucpTotal('total', order.total, 'Total'),
    ],
  }
}

// Unspecified: a line is fulfilled once it is shipped, because UCP's shipment events list the lines
// that they fulfill. Canceled or returned items count as neither ordered nor fulfilled.
function lineItem({ status, host }: Order, item: SessionItem, index: number): JsonObject {
  const { product_id, variant_id, name, quantity, unit_price } = item
  const amount = unit_price.amount * quantity
  const article = findArticle(product_id)
  const isGone = status === 'canceled' || status === 'returned'
  const isSent = status === 'shipped' || status === 'delivered'
  return {
    id: lineId(index),
    item: {
      id: variant_id ?? product_id,
      title: name,
      price: unit_price.amount,
      ...(article && { image_url: `${originOf(host)}${imagePath(article)}` }),
    },
    quantity: {
      original: quantity,
      total: isGone ? 0 : quantity,
      fulfilled: isSent ? quantity : 0,
    },
    totals: [ucpTotal('subtotal', amount), ucpTotal('total', amount)],
    status: isGone ? 'removed' : isSent ? 'fulfilled' : 'processing',
  }
}

/** All lines with their quantities; a reduction of them has a negative sign. */
const linesOf = ({ items }: Order, sign: 1 | -1 = 1): JsonObject[] =>
  items.map(({ quantity }, index) => ({ id: lineId(index), quantity: sign * quantity }))

/** Everything in one parcel to one address; nothing once it is canceled. */
function expectationsOf(order: Order): JsonObject[] {
  const { status, items, shipping } = order
  if (status === 'canceled') return []
  const leaves = items
    .flatMap(({ available_on }) => available_on ?? [])
    .toSorted()
    .at(-1)
  return [
    {
      id: 'expectation_1',
      line_items: linesOf(order),
      method_type: 'shipping',
      destination: destinationOf(order),
      description: shipping.name,
      fulfillable_on: leaves === undefined ? 'now' : `${leaves}T00:00:00Z`,
    },
  ]
}

/** The destination that the platform sent, with the parcel's address. */
function destinationOf({ address, official }: Order): JsonObject {
  const shown = official && shownOf(official)
  const sent = shown && selectedOf(shown)
  if (!sent) return withAddress({}, address ?? {})
  const { id: _, ...destination } = sent
  return withAddress(destination, address ?? {}, shown.buyer)
}

/**
 * The parcel's events. An order is shipped and delivered at most once, so the event's name is its
 * id.
 */
function fulfillmentEvent(order: Order, { type, at, tracking }: OrderMoment): JsonObject[] {
  if (type !== 'processing' && type !== 'shipped' && type !== 'delivered') return []
  return [
    {
      id: `event_${type}`,
      occurred_at: at,
      type,
      line_items: linesOf(order),
      ...(tracking && {
        tracking_number: tracking.number,
        ...(tracking.url !== undefined && { tracking_url: tracking.url }),
        ...(tracking.carrier !== undefined && { carrier: tracking.carrier }),
      }),
    },
  ]
}
