import * as z from 'zod'
import { CheckoutItem } from '../../../../shared/protocols/spec/ucp.ts'
import { field } from '../../../../shared/web/json/json.ts'
import { addressRefusal, readPartialAddress } from '../../checkout/address.ts'
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
} from '../../checkout/caller.ts'
import { completeCheckout, createCheckout } from '../../checkout/checkout.ts'
import { idempotentCall } from '../../checkout/idempotency.ts'
import { readRequest, unreadable } from '../../checkout/request-words.ts'
import { completionScope } from '../../checkout/sessions.ts'
import { updateCheckout } from '../../checkout/steps/update.ts'
import { SPEC_ACP } from '../../db/statuses.ts'
import type { StoreRequest } from '../../http/store-request.ts'

/** The bodies of the three endpoints, and the arguments of the matching tools. */
export const CreateRequest = z.object({
  items: z.array(CheckoutItem).min(1),
  idempotency_key: OpaqueId,
  ai_surface: AiSurface,
})
// Unspecified: an update does not change the items: it refuses them, because an agent that took
// them for changed would have its buyer pay for others. A new session has other items.
/** The address is judged separately, because it has its own error. */
const UpdateRequest = z.object({
  items: z.undefined('cannot be changed: create a new session with these items').optional(),
  shipping_option_id: OpaqueId.optional(),
  shipping_address: z.unknown().optional(),
})
export const CompleteRequest = z.object({
  payment_method: z.object({ type: OpaqueId, token: OpaqueId }),
  shipping_option_id: OpaqueId.optional(),
  idempotency_key: OpaqueId,
})

/** `POST /acp/checkout/create`, and the tool `initiate_checkout`. */
export async function createSpecAcp(
  { host }: StoreRequest,
  { deps, count }: CheckoutContext,
  call: AgentCall,
): Promise<CheckoutAnswer> {
  const parsed = readRequest(CreateRequest, call.body)
  if (!parsed.success) return refusalAnswer(SPEC_ACP, unreadable(parsed.error))
  // Everything that this store sells is shipped, so there is always an address.
  const given = field(call.body, 'shipping_address')
  const read = readPartialAddress(given)
  if ('faults' in read) return refusalAnswer(SPEC_ACP, addressRefusal(read.faults))
  const { ai_surface, ...asked } = parsed.data
  const { items, idempotency_key } = asked
  const { address } = read
  const buyer = buyerOf(call, address)
  return createCheckout(deps, count, {
    protocol: SPEC_ACP,
    host,
    buyer,
    counted: buyer,
    keyed: idempotentCall(`${SPEC_ACP}:create:${host}:${callerOf(call)}`, idempotency_key, {
      ...asked,
      address,
    }),
    items,
    address,
    attribution: attributionOf(ai_surface),
    dryRun: false,
  })
}

/** `PATCH /acp/checkout/:id/update`. */
export async function updateSpecAcp(
  { deps }: CheckoutContext,
  id: string,
  body: unknown,
): Promise<CheckoutAnswer> {
  const parsed = readRequest(UpdateRequest, body)
  if (!parsed.success) return refusalAnswer(SPEC_ACP, unreadable(parsed.error))
  const { shipping_option_id, shipping_address } = parsed.data
  const read = shipping_address === undefined ? null : readPartialAddress(shipping_address)
  if (read && 'faults' in read) return refusalAnswer(SPEC_ACP, addressRefusal(read.faults))
  return updateCheckout(deps, id, {
    shippingOptionId: shipping_option_id,
    address: read?.address,
  })
}

/** `POST /acp/checkout/:id/complete`, and the tool `confirm_purchase`. */
export async function completeSpecAcp(
  { deps }: CheckoutContext,
  id: string,
  body: unknown,
): Promise<CheckoutAnswer> {
  const card = cardRefusal(body)
  if (card) return refusalAnswer(SPEC_ACP, card)
  const parsed = readRequest(CompleteRequest, body)
  if (!parsed.success) return refusalAnswer(SPEC_ACP, unreadable(parsed.error))
  const { payment_method, shipping_option_id, idempotency_key } = parsed.data
  return completeCheckout(deps, {
    protocol: SPEC_ACP,
    id,
    keyed: idempotentCall(
      completionScope({ protocol: SPEC_ACP, id }),
      idempotency_key,
      parsed.data,
    ),
    shippingOptionId: shipping_option_id,
    judge: () => ({ payment: payment_method }),
  })
}
