import { field } from '../../shared/json.ts'
import { UcpCheckoutRequest } from '../../shared/ucp.ts'
import { addressFaults } from './address-faults.ts'
import { fillBasket, quote } from './basket.ts'
import type { Cart, Carts } from './carts.ts'
import { ucpRefusal } from './refusals.ts'
import { json, type Reply } from './reply.ts'
import { say, type Visit } from './visit.ts'

/** Spec, Limits: 15 to 30 minutes are advised. */
export const CART_MINUTES = 20

/** What is judged apart from the address, which has an error of its own. */
const CartRequest = UcpCheckoutRequest.omit({ shipping_address: true })

/** `POST /ucp/checkout`: a cart, which is kept unless it is a dry run, or the spec's error body. */
export async function checkoutReply(visit: Visit, body: unknown, carts: Carts): Promise<Reply> {
  const request = CartRequest.safeParse(body)
  if (!request.success) {
    const said = request.error.issues.slice(0, 4).map(({ path, message }) => {
      return `${path.join('.') || 'the body'}: ${message}`
    })
    return ucpRefusal(422, {
      code: 'invalid_request',
      message: `The cart cannot be read. Mend and send it again: ${said.join('; ')}.`,
    })
  }
  const address = field(body, 'shipping_address')
  const fields = say(visit, 'addressFaults', addressFaults(address))
  if (fields.length > 0) {
    return ucpRefusal(422, {
      code: 'invalid_address',
      message: `We cannot ship to this address. Please check: ${fields.join(', ')}.`,
      retryable: true,
      fields,
    })
  }
  const lines = fillBasket(say(visit, 'cartItems', request.data.items))
  if ('code' in lines) return ucpRefusal(lines.code === 'out_of_stock' ? 409 : 422, lines)
  const cart: Cart = {
    checkout_id: `cart_${crypto.randomUUID()}`,
    lines,
    ...quote(lines, String(field(address, 'country'))),
    expires_at: new Date(visit.at.getTime() + CART_MINUTES * 60_000).toISOString(),
  }
  if (request.data.dry_run !== true) await carts.keep(cart)
  const { lines: kept, ...answer } = cart
  return json(say(visit, 'cart', answer), { headers: { 'cache-control': 'no-store' } })
}
