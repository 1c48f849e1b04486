import type { Money } from '../../../shared/commerce/product.ts'
import { field } from '../../../shared/web/json/json.ts'
import { RefusedDelivery } from './psp.ts'

/**
 * The bytes of a delivery as text. A lenient decoder would replace invalid bytes or drop a byte
 * order mark, and the signature would be checked over other bytes than those sent: these are
 * rejected.
 */
export function readSignedText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new RefusedDelivery('The body is not UTF-8. Send it as it was signed, not compressed.')
  }
}

/** The signed text, as JSON. */
export function readSignedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RefusedDelivery('The body is not JSON. Send the event as the PSP wrote it.')
  }
}

/** The amount of a payment, which both PSPs write in this form. Null if it cannot be read. */
export function amountIn(payment: unknown): Money | null {
  const amount = field(payment, 'amount')
  const currency = field(payment, 'currency')
  return typeof amount === 'number' && typeof currency === 'string'
    ? { amount, currency: currency.toUpperCase() }
    : null
}
