import * as z from 'zod'
import { CheckoutItem } from '../../shared/protocols/ucp.ts'
import { isRecord } from '../../shared/web/json.ts'
import { refusalOf } from './answers.ts'
import { type Asked, replyOf, type Till } from './asked.ts'
import { createSession } from './checkout-service.ts'
import type { Reply } from './reply.ts'
import { readRequest, unreadable } from './request-words.ts'
import { readCart } from './ucp-checkout.ts'
import type { Visit } from './visit.ts'

const ShippingRequest = z.object({ items: z.array(CheckoutItem).min(1) })

/**
 * The declared shipping endpoint. Unspecified: its bodies. It takes what a cart takes, and answers
 * with the options and what they cost; nothing is kept.
 */
export async function shippingReply(
  visit: Visit,
  { deps, count }: Till,
  asked: Asked,
): Promise<Reply> {
  const request = readRequest(ShippingRequest, asked.body)
  if (!request.success) return replyOf(refusalOf('ucp', unreadable(request.error)))
  const cart = readCart(visit, asked, request.data.items)
  if ('status' in cart) return replyOf(cart)
  const answer = await createSession(deps, count, { ...cart, attribution: null, dryRun: true })
  const { status, body } = answer
  return replyOf(
    status === 200 && isRecord(body)
      ? { status, body: { shipping_options: body.shipping_options } }
      : answer,
  )
}
