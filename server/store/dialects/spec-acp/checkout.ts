import * as z from 'zod'
import { CheckoutItem } from '../../../../shared/protocols/ucp.ts'
import { field } from '../../../../shared/web/json.ts'
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
} from '../../checkout/caller.ts'
import { completeCheckout, createCheckout } from '../../checkout/checkout.ts'
import { idempotentCall } from '../../checkout/idempotency.ts'
import { readRequest, unreadable } from '../../checkout/request-words.ts'
import { completionScope } from '../../checkout/sessions.ts'
import { updateCheckout } from '../../checkout/steps/update.ts'
import type { Visit } from '../../http/store-request.ts'

/** The bodies of the three endpoints, and the arguments of the tools that stand for them. */
export const CreateRequest = z.object({
  items: z.array(CheckoutItem).min(1),
  idempotency_key: Key,
  ai_surface: AiSurface.optional(),
})
const UpdateRequest = z.object({ shipping_option_id: Key.optional() })
export const CompleteRequest = z.object({
  payment_method: z.object({ type: Key, token: Key }),
  shipping_option_id: Key.optional(),
  idempotency_key: Key,
})

/** `POST /acp/checkout/create`, and the tool `initiate_checkout`. */
export async function createAcp(
  { host }: Visit,
  { deps, count }: CheckoutContext,
  asked: AgentCall,
): Promise<CheckoutAnswer> {
  const request = readRequest(CreateRequest, asked.body)
  if (!request.success) return refusalAnswer('acp', unreadable(request.error))
  // Everything that this store sells is shipped, so that there is always an address.
  const given = field(asked.body, 'shipping_address')
  const faults = addressFaults(given)
  if (faults.length > 0) return refusalAnswer('acp', addressRefusal(faults))
  const { items, idempotency_key, ai_surface } = request.data
  const address = trustAddress(given)
  return createCheckout(deps, count, {
    protocol: 'acp',
    host,
    buyer: buyerOf(asked, address),
    keyed: idempotentCall(`acp:create:${host}:${callerOf(asked)}`, idempotency_key, {
      ...request.data,
      address,
    }),
    items,
    address,
    attribution: ai_surface === undefined ? null : { ai_surface },
    dryRun: false,
  })
}

/** `PATCH /acp/checkout/:id/update`. */
export async function updateAcp(
  { deps }: CheckoutContext,
  id: string,
  body: unknown,
): Promise<CheckoutAnswer> {
  const request = readRequest(UpdateRequest, body)
  return request.success
    ? updateCheckout(deps, id, request.data.shipping_option_id)
    : refusalAnswer('acp', unreadable(request.error))
}

/** `POST /acp/checkout/:id/complete`, and the tool `confirm_purchase`. */
export async function completeAcp(
  { deps }: CheckoutContext,
  id: string,
  body: unknown,
): Promise<CheckoutAnswer> {
  const card = cardRefusal(body)
  if (card) return refusalAnswer('acp', card)
  const request = readRequest(CompleteRequest, body)
  if (!request.success) return refusalAnswer('acp', unreadable(request.error))
  const { payment_method, shipping_option_id, idempotency_key } = request.data
  return completeCheckout(deps, {
    protocol: 'acp',
    id,
    keyed: idempotentCall(completionScope({ protocol: 'acp', id }), idempotency_key, request.data),
    shippingOptionId: shipping_option_id,
    payment: payment_method,
  })
}
