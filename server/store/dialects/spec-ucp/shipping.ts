import * as z from 'zod'
import { CheckoutItem } from '../../../../shared/protocols/ucp.ts'
import { isRecord } from '../../../../shared/web/json.ts'
import { refusalAnswer } from '../../checkout/answers.ts'
import { type AgentCall, type CheckoutContext, replyOf } from '../../checkout/caller.ts'
import { createCheckout } from '../../checkout/checkout.ts'
import { readRequest, unreadable } from '../../checkout/request-words.ts'
import type { Reply } from '../../http/reply.ts'
import type { Visit } from '../../http/store-request.ts'
import { readCart } from './checkout.ts'

const ShippingRequest = z.object({ items: z.array(CheckoutItem).min(1) })

/**
 * The declared shipping endpoint. Unspecified: its bodies. It takes what a cart takes, and answers
 * with the options and what they cost; nothing is kept.
 */
export async function shippingReply(
  visit: Visit,
  { deps, count }: CheckoutContext,
  asked: AgentCall,
): Promise<Reply> {
  const request = readRequest(ShippingRequest, asked.body)
  if (!request.success) return replyOf(refusalAnswer('ucp', unreadable(request.error)))
  const cart = readCart(visit, asked, request.data.items)
  if ('status' in cart) return replyOf(cart)
  const answer = await createCheckout(deps, count, { ...cart, attribution: null, dryRun: true })
  const { status, body } = answer
  return replyOf(
    status === 200 && isRecord(body)
      ? { status, body: { shipping_options: body.shipping_options } }
      : answer,
  )
}
