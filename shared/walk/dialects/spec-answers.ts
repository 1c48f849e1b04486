import type * as z from 'zod'
import { Money } from '../../commerce/product.ts'
import { field, isRecord } from '../../web/json/json.ts'
import type { WantedLine } from '../operation.ts'
import type { OrderView, Session, SessionPhase, ShippingOffer } from '../session.ts'
import { idAt, integerAt, pageAt, recordsAt, textAt } from './answer-fields.ts'
import { shapeFaults } from './answer-shape.ts'
import { pathPart } from './http.ts'

/** Shared by the specification's UCP and ACP: items, money, shipping, orders. */

/** The items of a request, in both. */
export const wireLines = (lines: readonly WantedLine[]) =>
  lines.map(({ product_id, variant_id, quantity }) => ({
    product_id,
    ...(variant_id !== null && { variant_id }),
    quantity,
  }))

/** An address below an endpoint, with the endpoint's query. */
export function urlBelow(endpoint: string, ...segments: string[]): string {
  const [, base = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(endpoint) ?? []
  const path = segments.map(pathPart).join('/')
  return `${base.endsWith('/') ? base : `${base}/`}${path}${query}`
}

/**
 * A shipping option that can be chosen; null without an id. Unspecified: an option in another
 * currency than the session's counts as one without a cost, because the two cannot be added.
 */
export function offerOf(option: unknown, currency: string | null): ShippingOffer | null {
  const id = idAt(option, 'id')
  if (id === null) return null
  const cost = field(option, 'cost')
  const isOther = currency !== null && textAt(cost, 'currency') !== currency
  const name = textAt(option, 'name') ?? ''
  return { id, name, cost: isOther ? null : integerAt(cost, 'amount') }
}

/** The `shipping_options` of an answer. */
export const offersIn = (value: unknown, currency: string | null): ShippingOffer[] =>
  recordsAt(value, 'shipping_options').flatMap((option) => offerOf(option, currency) ?? [])

/** An empty session. */
export const blankSession = (): Session => ({
  id: null,
  phase: null,
  said: null,
  currency: null,
  lines: null,
  subtotal: null,
  total: null,
  parts: null,
  shipping: [],
  chosen: null,
  expires_at: null,
  continue_url: null,
  messages: [],
  handlers: null,
  order: null,
  faults: [],
})

/**
 * The answer to a payment: UCP's confirm and ACP's complete. 202 is a payment in progress, with an
 * order that waits for it.
 */
export function confirmedSession(
  schema: z.ZodType,
  { id, status, value }: { id: string; status: number; value: unknown },
): Session {
  const total = field(value, 'total')
  const order = idAt(value, 'order_id')
  const said = textAt(value, 'status')
  const isPaying = status === 202 || said === 'awaiting_payment'
  const faults = shapeFaults(schema, value)
  return {
    ...blankSession(),
    id,
    phase: order === null ? null : isPaying ? 'paying' : 'completed',
    said,
    currency: textAt(total, 'currency'),
    total: integerAt(total, 'amount'),
    order: order === null ? null : { id: order, url: pageAt(value, 'receipt_url') },
    faults: isPaying ? faults.filter((fault) => fault.field !== 'status') : faults,
  }
}

/** The answer to a cancellation, which the specification does not describe. */
export const canceledSession = (value: unknown): Session => {
  const said = textAt(value, 'status')
  const id = idAt(value, 'checkout_id')
  return { ...blankSession(), id, phase: OVER.get(said ?? '') ?? null, said }
}

/**
 * The state of a session: ended if its status says so, else ready once there is a way to ship. Null
 * without a session.
 */
export const phaseOf = (
  id: string | null,
  said: string | null,
  isShippable: boolean,
): SessionPhase | null =>
  OVER.get(said ?? '') ?? (id === null ? null : isShippable ? 'ready' : 'open')

// Unspecified: the specification shows only `pending_confirmation` as a session's status; these
// words count as an end because stores use them.
const OVER: ReadonlyMap<string, SessionPhase> = new Map([
  ['canceled', 'canceled'],
  ['cancelled', 'canceled'],
  ['expired', 'expired'],
  ['completed', 'completed'],
  ['confirmed', 'completed'],
])

/** An order. Spec: its "exact body" is not shown, beyond identifier, status and tracking. */
export function orderView(value: unknown): OrderView {
  // Unspecified: stores may answer with the order itself or with it under `order`.
  const inner = field(value, 'order')
  const order = isRecord(inner) ? inner : value
  const total = Money.safeParse(field(order, 'total'))
  return {
    id: idAt(order, 'order_id') ?? idAt(order, 'id'),
    status: textAt(order, 'status'),
    total: total.success ? total.data : null,
  }
}
