import * as z from 'zod'
import { CheckoutItem, UcpCheckoutRequest } from '../../../../shared/protocols/spec/ucp.ts'
import { field, isRecord } from '../../../../shared/web/json/json.ts'
import { addressFaults, addressRefusal, trustAddress } from '../../checkout/address.ts'
import { type CheckoutAnswer, refusalAnswer } from '../../checkout/answers.ts'
import {
  type AgentCall,
  AiSurface,
  attributionOf,
  buyerOf,
  type CheckoutContext,
  callerOf,
  cardRefusal,
  OpaqueId,
  replyOf,
} from '../../checkout/caller.ts'
import { completeCheckout, createCheckout } from '../../checkout/checkout.ts'
import { type IdempotentCall, idempotentCall } from '../../checkout/idempotency.ts'
import { readRequest, unreadable } from '../../checkout/request-words.ts'
import { completionScope } from '../../checkout/sessions.ts'
import type { NewCheckout } from '../../checkout/steps/price.ts'
import { SPEC_UCP } from '../../db/statuses.ts'
import { ASSISTANT_ERROR } from '../../http/refusals.ts'
import { applyFaults, type Reply, type StoreRequest } from '../../http/store-request.ts'

/** Judged without the address, which has its own error. */
const CartRequest = UcpCheckoutRequest.omit({ shipping_address: true }).extend({
  ai_surface: AiSurface,
})

const ConfirmRequest = z.object({
  shipping_option_id: OpaqueId,
  payment_method: z.object({ type: OpaqueId, token: OpaqueId }),
})

/**
 * `POST /ucp/checkout`: a cart, which is stored unless it is a dry run, or the spec's error body.
 */
export async function cartReply(
  request: StoreRequest,
  context: CheckoutContext,
  call: AgentCall,
): Promise<Reply> {
  const answer = await openCart(request, context, call)
  const { status, body } = answer
  return replyOf(
    status === 200 && isRecord(body)
      ? { ...answer, body: applyFaults(request, 'cart', body) }
      : answer,
  )
}

async function openCart(
  request: StoreRequest,
  { deps, count }: CheckoutContext,
  call: AgentCall,
): Promise<CheckoutAnswer> {
  const { body } = call
  const parsed = readRequest(CartRequest, body)
  if (!parsed.success) return refusalAnswer(SPEC_UCP, unreadable(parsed.error))
  const checkout = readCart(request, call, parsed.data.items)
  if ('status' in checkout) return checkout
  const { ai_surface, ...asked } = parsed.data
  const { dry_run = false } = asked
  const keyed = keyOf(call, `ucp:create:${request.host}:${callerOf(call)}`, {
    ...asked,
    address: checkout.address,
  })
  if (keyed && 'status' in keyed) return keyed
  return createCheckout(deps, count, {
    ...checkout,
    // A dry run stores nothing, so its answer is not stored either.
    keyed: dry_run ? null : keyed,
    dryRun: dry_run,
    attribution: attributionOf(ai_surface),
  })
}

/** The requested cart, its address judged. */
function readCart(
  request: StoreRequest,
  call: AgentCall,
  items: NewCheckout['items'],
): Omit<NewCheckout, 'attribution'> | CheckoutAnswer {
  const address = field(call.body, 'shipping_address')
  const faults = applyFaults(request, 'addressFaults', addressFaults(address))
  if (faults.length > 0) return refusalAnswer(SPEC_UCP, addressRefusal(faults))
  const known = trustAddress(address)
  const buyer = buyerOf(call, known)
  return {
    protocol: SPEC_UCP,
    host: request.host,
    buyer,
    counted: buyer,
    keyed: null,
    items: applyFaults(request, 'cartItems', [...items]),
    address: known,
    dryRun: true,
  }
}

// Unspecified: UCP's idempotency key is in the header Idempotency-Key and optional; an empty one
// counts as absent.
function keyOf(
  { idempotencyKey }: AgentCall,
  scope: string,
  body: unknown,
): IdempotentCall | CheckoutAnswer | null {
  if (!idempotencyKey) return null
  const key = OpaqueId.safeParse(idempotencyKey)
  return key.success
    ? idempotentCall(scope, key.data, body)
    : refusalAnswer(SPEC_UCP, {
        code: 'invalid',
        message: ASSISTANT_ERROR,
        fields: ['Idempotency-Key'],
        detail: 'The header Idempotency-Key may have at most 255 characters.',
      })
}

/** `POST /ucp/checkout/:id/confirm`: the spec's confirmation, or its error body. */
export async function confirmReply(
  { deps }: CheckoutContext,
  id: string,
  call: AgentCall,
): Promise<Reply> {
  const { body } = call
  const card = cardRefusal(body)
  if (card) return replyOf(refusalAnswer(SPEC_UCP, card))
  const parsed = readRequest(ConfirmRequest, body)
  if (!parsed.success) return replyOf(refusalAnswer(SPEC_UCP, unreadable(parsed.error)))
  const { shipping_option_id, payment_method } = parsed.data
  const keyed = keyOf(call, completionScope({ protocol: SPEC_UCP, id }), parsed.data)
  if (keyed && 'status' in keyed) return replyOf(keyed)
  return replyOf(
    await completeCheckout(deps, {
      protocol: SPEC_UCP,
      id,
      keyed,
      shippingOptionId: shipping_option_id,
      judge: () => ({ payment: payment_method }),
    }),
  )
}

const ShippingRequest = z.object({ items: z.array(CheckoutItem).min(1) })

/**
 * The declared shipping endpoint. Unspecified: the shipping endpoint takes the body of a cart, and
 * answers with the options and their costs; nothing is stored.
 */
export async function shippingReply(
  request: StoreRequest,
  { deps, count }: CheckoutContext,
  call: AgentCall,
): Promise<Reply> {
  const parsed = readRequest(ShippingRequest, call.body)
  if (!parsed.success) return replyOf(refusalAnswer(SPEC_UCP, unreadable(parsed.error)))
  const cart = readCart(request, call, parsed.data.items)
  if ('status' in cart) return replyOf(cart)
  const answer = await createCheckout(deps, count, { ...cart, attribution: null, dryRun: true })
  const { status, body } = answer
  return replyOf(
    status === 200 && isRecord(body)
      ? { status, body: { shipping_options: body.shipping_options } }
      : answer,
  )
}
