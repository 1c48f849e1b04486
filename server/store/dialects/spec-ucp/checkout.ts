import * as z from 'zod'
import { UcpCheckoutRequest } from '../../../../shared/protocols/ucp.ts'
import { field, isRecord } from '../../../../shared/web/json.ts'
import { addressFaults, addressRefusal, trustAddress } from '../../checkout/address.ts'
import { type CheckoutAnswer, refusalAnswer } from '../../checkout/answers.ts'
import {
  type AgentCall,
  AiSurface,
  buyerOf,
  type CheckoutContext,
  callerOf,
  cardRefusal,
  Key,
  replyOf,
} from '../../checkout/caller.ts'
import { completeCheckout, createCheckout } from '../../checkout/checkout.ts'
import { type IdempotentCall, idempotentCall } from '../../checkout/idempotency.ts'
import { readRequest, unreadable } from '../../checkout/request-words.ts'
import { completionScope } from '../../checkout/sessions.ts'
import type { NewCheckout } from '../../checkout/steps/price.ts'
import type { Reply } from '../../http/reply.ts'
import { say, type Visit } from '../../http/store-request.ts'

/** What is judged apart from the address, which has an error of its own. */
const CartRequest = UcpCheckoutRequest.omit({ shipping_address: true }).extend({
  ai_surface: AiSurface.optional(),
})

const ConfirmRequest = z.object({
  shipping_option_id: Key,
  payment_method: z.object({ type: Key, token: Key }),
})

/** `POST /ucp/checkout`: a cart, which is kept unless it is a dry run, or the spec's error body. */
export async function cartReply(
  visit: Visit,
  till: CheckoutContext,
  asked: AgentCall,
): Promise<Reply> {
  const answer = await openCart(visit, till, asked)
  const { status, body } = answer
  return replyOf(
    status === 200 && isRecord(body) ? { ...answer, body: say(visit, 'cart', body) } : answer,
  )
}

async function openCart(
  visit: Visit,
  { deps, count }: CheckoutContext,
  asked: AgentCall,
): Promise<CheckoutAnswer> {
  const { body } = asked
  const request = readRequest(CartRequest, body)
  if (!request.success) return refusalAnswer('ucp', unreadable(request.error))
  const checkout = readCart(visit, asked, request.data.items)
  if ('status' in checkout) return checkout
  const { ai_surface, dry_run = false } = request.data
  const keyed = keyOf(asked, `ucp:create:${visit.host}:${callerOf(asked)}`, {
    ...request.data,
    address: checkout.address,
  })
  if (keyed && 'status' in keyed) return keyed
  return createCheckout(deps, count, {
    ...checkout,
    // A dry run keeps nothing, and so no answer either.
    keyed: dry_run ? null : keyed,
    dryRun: dry_run,
    attribution: ai_surface === undefined ? null : { ai_surface },
  })
}

/** The cart that is asked for, its address judged. */
export function readCart(
  visit: Visit,
  asked: AgentCall,
  items: NewCheckout['items'],
): Omit<NewCheckout, 'attribution'> | CheckoutAnswer {
  const address = field(asked.body, 'shipping_address')
  const faults = say(visit, 'addressFaults', addressFaults(address))
  if (faults.length > 0) return refusalAnswer('ucp', addressRefusal(faults))
  const known = trustAddress(address)
  return {
    protocol: 'ucp',
    host: visit.host,
    buyer: buyerOf(asked, known),
    keyed: null,
    items: say(visit, 'cartItems', [...items]),
    address: known,
    dryRun: true,
  }
}

// Unspecified: where the key travels in UCP. In the header Idempotency-Key, and it is optional.
function keyOf(
  { idempotencyKey }: AgentCall,
  scope: string,
  body: unknown,
): IdempotentCall | CheckoutAnswer | null {
  if (idempotencyKey === undefined) return null
  const key = Key.safeParse(idempotencyKey)
  return key.success
    ? idempotentCall(scope, key.data, body)
    : refusalAnswer('ucp', { code: 'invalid', message: 'Idempotency-Key: 1 to 255 characters.' })
}

/** `POST /ucp/checkout/:id/confirm`: the spec's confirmation, or its error body. */
export async function confirmReply(
  { deps }: CheckoutContext,
  id: string,
  asked: AgentCall,
): Promise<Reply> {
  const { body } = asked
  const card = cardRefusal(body)
  if (card) return replyOf(refusalAnswer('ucp', card))
  const request = readRequest(ConfirmRequest, body)
  if (!request.success) return replyOf(refusalAnswer('ucp', unreadable(request.error)))
  const { shipping_option_id, payment_method } = request.data
  const keyed = keyOf(asked, completionScope({ protocol: 'ucp', id }), request.data)
  if (keyed && 'status' in keyed) return replyOf(keyed)
  return replyOf(
    await completeCheckout(deps, {
      protocol: 'ucp',
      id,
      keyed,
      shippingOptionId: shipping_option_id,
      payment: payment_method,
    }),
  )
}
