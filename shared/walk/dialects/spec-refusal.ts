import type * as z from 'zod'
import { field } from '../../web/json/json.ts'
import type { BuyerOperation } from '../operation.ts'
import type { Reason, Refusal } from '../session.ts'
import { textAt } from './answer-fields.ts'
import { refusalFault, sendingFault } from './answer-shape.ts'
import { reasonOfStatus } from './http.ts'

/** A refusal, as `httpReply` returned it. */
interface Declined {
  status: number
  value: unknown
  isTyped: boolean
}

/**
 * Whether a 2xx is a refusal. Unspecified: the HTTP status of UCP errors and the envelope of ACP's
 * are open, so an error code under `error`, or an error in place of a session or an order, is a
 * refusal under any status.
 */
export function isErrorBody(value: unknown): boolean {
  const error = field(value, 'error')
  if (typeof field(error, 'code') === 'string') return true
  const isNothingElse = ['checkout_id', 'order_id'].every((id) => field(value, id) === undefined)
  const says = [field(value, 'code'), error].some((it) => typeof it === 'string' && it !== '')
  return isNothingElse && says
}

/** A refusal, and how it departs from `schema`, the error body of the dialect. */
export function specRefusal(
  operation: BuyerOperation,
  schema: z.ZodType,
  { status, value, isTyped }: Declined,
): Refusal {
  const error = field(value, 'error')
  const code = textAt(error, 'code') ?? textAt(value, 'code')
  const text = textAt(error, 'message') ?? textAt(value, 'message') ?? textAt(value, 'error')
  return {
    status,
    code,
    text,
    reason: reasonOf(code, status, operation),
    // A server in front of the store that refuses all strangers does not speak a dialect.
    fault:
      code === null && [401, 403, 429].includes(status)
        ? null
        : (sendingFault(value, isTyped) ?? refusalFault(schema, value)),
  }
}

/** The meaning of the codes in the specification's two tables, under any status. */
const CODES: ReadonlyMap<string, Reason> = new Map([
  ['out_of_stock', 'sold_out'],
  ['invalid_address', 'address'],
  ['payment_failed', 'payment'],
  ['payment_declined', 'payment'],
  ['session_expired', 'ended'],
  ['validation_error', 'invalid'],
  ['rate_limited', 'too_many'],
])

// Unspecified: codes outside the specification's tables are a store's own. These are understood,
// unless the status says that the server failed or the caller is not allowed.
const OWN_CODES: ReadonlyMap<string, Reason> = new Map([
  ['unknown_product', 'unknown_item'],
  ['unknown_variant', 'unknown_item'],
  ['variant_required', 'unknown_item'],
  ['product_not_found', 'unknown_item'],
  ['variant_not_found', 'unknown_item'],
  ['item_not_found', 'unknown_item'],
  ['invalid_variant', 'unknown_item'],
  ['invalid_product', 'unknown_item'],
  ['sold_out', 'sold_out'],
  ['insufficient_stock', 'sold_out'],
  ['too_many_items', 'quantity'],
  ['invalid_quantity', 'quantity'],
  ['session_not_found', 'ended'],
  ['session_closed', 'ended'],
  ['session_canceled', 'ended'],
  ['checkout_not_found', 'ended'],
  ['idempotency_conflict', 'conflict'],
  ['idempotency_key_reused', 'conflict'],
])

function reasonOf(code: string | null, status: number, operation: BuyerOperation): Reason {
  const known = CODES.get(code ?? '')
  if (known !== undefined) return known
  const isOfServer = status >= 500 || [401, 403, 429].includes(status)
  const own = isOfServer ? undefined : OWN_CODES.get(code ?? '')
  if (own !== undefined) return own
  // A 404 with a code is about the goods, unless the code only repeats the status: servers answer
  // that if there is no checkout.
  const isAboutGoods = status === 404 && code !== null && code.toLowerCase() !== 'not_found'
  if (operation.op === 'open' && isAboutGoods) return 'unknown_item'
  return reasonOfStatus(status, operation)
}
