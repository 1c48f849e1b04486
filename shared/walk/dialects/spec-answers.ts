import type * as z from 'zod'
import { Money } from '../../commerce/product.ts'
import { fieldErrors } from '../../web/field-errors.ts'
import { field, isRecord } from '../../web/json.ts'
import type { WantedLine } from '../operation.ts'
import type {
  OrderView,
  Session,
  SessionPhase,
  ShapeFault,
  ShippingOffer,
  WalkReply,
} from '../session.ts'
import { pathPart } from './http.ts'

/** What the specification's UCP and ACP have in common: items, money, shipping, orders. */

/** The items of a request, in both. */
export const wireLines = (lines: readonly WantedLine[]) =>
  lines.map(({ product_id, variant_id, quantity }) => ({
    product_id,
    ...(variant_id !== null && { variant_id }),
    quantity,
  }))

/** An address below an endpoint, whose query stays. */
export function urlBelow(endpoint: string, ...segments: string[]): string {
  const [, base = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(endpoint) ?? []
  const path = segments.map(pathPart).join('/')
  return `${base.endsWith('/') ? base : `${base}/`}${path}${query}`
}

/** Longer than any id that has a reason, and short enough for an address. */
const MAX_ID = 500

/** An id that can be sent again; null for anything else. Dots alone would be another address. */
export const idIn = (value: unknown, key: string): string | null => {
  const id = field(value, key)
  const isUsable = typeof id === 'string' && id !== '' && id.length <= MAX_ID && id.isWellFormed()
  return isUsable && id !== '.' && id !== '..' ? id : null
}

/** Text as it is shown, cut where it is very long; null for what is empty or no text. */
export const textIn = (value: unknown, key: string, most = 500): string | null => {
  const text = field(value, key)
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, most).toWellFormed() : null
}

/** An address that a person may open; null for anything else, such as `javascript:`. */
const urlIn = (value: unknown, key: string): string | null => {
  const url = textIn(value, key, 2000)
  return /^https?:$/.test(URL.parse(url ?? '')?.protocol ?? '') ? url : null
}

/** In the smallest unit; null for what is no whole number. */
export const statedAmount = (money: unknown): number | null => {
  const amount = field(money, 'amount')
  return typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : null
}

export const currencyIn = (money: unknown): string | null => textIn(money, 'currency', 20)

/** A shipping option that can be chosen; null for what has no id. */
// Unspecified: an option whose cost is in another currency than the session has no cost here: the
// two cannot be added up.
export function offerOf(option: unknown, currency: string | null): ShippingOffer | null {
  const id = idIn(option, 'id')
  if (id === null) return null
  const cost = field(option, 'cost')
  const isOther = currency !== null && currencyIn(cost) !== currency
  return { id, name: textIn(option, 'name') ?? '', cost: isOther ? null : statedAmount(cost) }
}

/** The `shipping_options` of an answer. */
export function offersIn(value: unknown, currency: string | null): ShippingOffer[] {
  const options = field(value, 'shipping_options')
  return (Array.isArray(options) ? options : [])
    .map((option) => offerOf(option, currency))
    .filter((offer) => offer !== null)
}

/** A session of which nothing is known yet. */
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

/** One fault shows what is wrong, a few show that it is everywhere. */
const MAX_FAULTS = 8

/** What an answer lacks of its schema. */
export function faultsOf(schema: z.ZodType, value: unknown): ShapeFault[] {
  const issues = schema.safeParse(value, { error: fieldErrors() }).error?.issues ?? []
  return issues.slice(0, MAX_FAULTS).map(({ path, message }) => {
    const about = topicOf(path, value)
    return { field: dotted(path), problem: message, ...(about && { about }) }
  })
}

/** `items[0].unit_price`. */
const dotted = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((sum, key) => {
    if (typeof key === 'number') return `${sum}[${key}]`
    return sum === '' ? String(key) : `${sum}.${String(key)}`
  }, '')

/** A currency that is there and written wrong; one that is missing is a missing field. */
function topicOf(path: readonly PropertyKey[], value: unknown): ShapeFault['about'] | null {
  if (path[0] === 'expires_at') return 'expiry'
  if (path.at(-1) !== 'currency') return null
  const written = path.reduce<unknown>(
    (inner, key) => (Array.isArray(inner) ? inner[Number(key)] : field(inner, String(key))),
    value,
  )
  return typeof written === 'string' ? 'currency' : null
}

/**
 * The answer to a payment: UCP's confirm and ACP's complete. 202 is a payment that is still under
 * way, with an order that waits for it.
 */
export function confirmedSession(
  schema: z.ZodType,
  { id, status, value }: { id: string; status: number; value: unknown },
): Session {
  const total = field(value, 'total')
  const order = idIn(value, 'order_id')
  const said = textIn(value, 'status', 100)
  const isPaying = status === 202 || said === 'awaiting_payment'
  const faults = faultsOf(schema, value)
  return {
    ...blankSession(),
    id,
    phase: order === null ? null : isPaying ? 'paying' : 'completed',
    said,
    currency: currencyIn(total),
    total: statedAmount(total),
    order: order === null ? null : { id: order, url: urlIn(value, 'receipt_url') },
    faults: isPaying ? faults.filter((fault) => fault.field !== 'status') : faults,
  }
}

/** The answer to a cancellation, which the specification does not describe. */
export const canceledSession = (value: unknown): Session => {
  const said = textIn(value, 'status', 100)
  const id = idIn(value, 'checkout_id')
  return { ...blankSession(), id, phase: OVER.get(said ?? '') ?? null, said }
}

/**
 * Where a session is: at an end, if its status says so; else it can be paid once there is a way to
 * ship. Null where there is no session.
 */
export const phaseOf = (
  id: string | null,
  said: string | null,
  isShippable: boolean,
): SessionPhase | null =>
  OVER.get(said ?? '') ?? (id === null ? null : isShippable ? 'ready' : 'open')

// Unspecified: of a session's status words the specification shows `pending_confirmation` alone;
// these are taken for the ends that stores write.
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
    id: idIn(order, 'order_id') ?? idIn(order, 'id'),
    status: textIn(order, 'status', 100),
    total: total.success ? total.data : null,
  }
}

/** The sessions and orders of both are objects. */
export const notAnObject = (status: number): WalkReply => ({
  is: 'unreadable',
  why: `it answered ${status} with JSON that is not an object`,
})
