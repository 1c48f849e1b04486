import * as z from 'zod'
import type { CheckoutItem } from '../../../../shared/protocols/ucp.ts'
import { SESSION_LIFETIME_MINUTES } from '../../checkout/sessions.ts'
import { type BasketFault, fillBasket, MAX_LINES } from '../../checkout/steps/basket.ts'
import type { Inventory, InventoryRequest } from '../../shop/inventory.ts'
import { Buyer, Destination, type UcpSession } from './cart.ts'
import type { Carts } from './carts.ts'
import { showCheckout } from './checkout-view.ts'
import { type Agreed, Text, type UcpResult, ucpFailure } from './envelope.ts'

export type UcpSessions = Carts<UcpSession>

/** One call of an operation: who asks whom, and where sessions are kept. */
export interface UcpContext extends Agreed {
  request: InventoryRequest
  sessions: UcpSessions
}

const Method = z.object({
  type: Text.optional(),
  destinations: z.array(Destination).max(20).optional(),
  selected_destination_id: Text.nullish(),
  groups: z
    .array(z.object({ selected_option_id: Text.nullish() }))
    .max(MAX_LINES)
    .optional(),
})
type Method = z.infer<typeof Method>

/** What the store reads of a checkout; payment, context and signals change nothing. */
export const CheckoutRequest = z.object({
  line_items: z.array(z.object({ item: z.object({ id: Text }), quantity: z.int().min(1) })).min(1),
  buyer: Buyer.optional(),
  fulfillment: z.object({ methods: z.array(Method).max(20).optional() }).optional(),
})
type CheckoutRequest = z.infer<typeof CheckoutRequest>

// Unspecified: idempotency keys of official UCP are accepted and not stored. A repeated create
// makes a second session, which does no harm as long as there is no payment.
export async function createUcpCheckout(
  context: UcpContext,
  wanted: CheckoutRequest,
): Promise<UcpResult> {
  const lines = linesOf(context, wanted)
  if ('code' in lines) return ucpFailure(context, codeOf(lines), lines.message)
  const checkout_id = `checkout_${crypto.randomUUID()}`
  const session = await keep(context, {
    checkout_id,
    lines,
    canceled: false,
    ...choices(wanted, undefined),
  })
  return showCheckout(context, session, { status: 201 })
}

/** The checkout as it is, priced anew. */
export async function getUcpCheckout(context: UcpContext, id: string): Promise<UcpResult> {
  const session = await context.sessions.find(id)
  return session === null ? noSession(context) : showCheckout(context, session)
}

/** Replaces what was chosen. What cannot be had changes nothing, and the answer says so. */
export async function updateUcpCheckout(
  context: UcpContext,
  id: string,
  wanted: CheckoutRequest,
): Promise<UcpResult> {
  const session = await context.sessions.find(id)
  if (session === null) return noSession(context)
  if (session.canceled) return alreadyCanceled(context, session)
  const lines = linesOf(context, wanted)
  if ('code' in lines) {
    return showCheckout(context, session, {
      complaint: { code: codeOf(lines), content: lines.message, severity: 'recoverable' },
    })
  }
  const updated = { ...session, lines, ...choices(wanted, session.destination) }
  return showCheckout(context, await keep(context, updated))
}

/** Cancels a checkout. It stays readable until it expires. */
export async function cancelUcpCheckout(context: UcpContext, id: string): Promise<UcpResult> {
  const session = await context.sessions.find(id)
  if (session === null) return noSession(context)
  if (session.canceled) return alreadyCanceled(context, session)
  return showCheckout(context, await keep(context, { ...session, canceled: true }))
}

/** Always fails with `payment_failed`: the profile offers no payment handler. */
export async function completeUcpCheckout(context: UcpContext, id: string): Promise<UcpResult> {
  const session = await context.sessions.find(id)
  if (session === null) return noSession(context)
  if (session.canceled) return alreadyCanceled(context, session)
  return ucpFailure(
    context,
    'payment_failed',
    'This store does not accept payments yet: no order was placed and nothing was charged.',
  )
}

async function keep(
  { request, sessions }: UcpContext,
  session: Omit<UcpSession, 'expires_at'>,
): Promise<UcpSession> {
  const expires_at = new Date(
    request.at.getTime() + SESSION_LIFETIME_MINUTES.ucp * 60_000,
  ).toISOString()
  const kept = { ...session, expires_at }
  await sessions.keep(kept)
  return kept
}

const noSession = (context: UcpContext): UcpResult =>
  ucpFailure(
    context,
    'not_found',
    'There is no such checkout, or it has expired. Create a new one.',
    404,
  )

const alreadyCanceled = (context: UcpContext, session: UcpSession): UcpResult =>
  showCheckout(context, session, {
    complaint: {
      code: 'canceled',
      content: 'This checkout is canceled. Create a new one.',
      severity: 'unrecoverable',
    },
  })

type Asked = CheckoutRequest['line_items'][number]

function linesOf({ request: { inventory } }: UcpContext, { line_items }: CheckoutRequest) {
  return fillBasket(
    line_items.map((asked) => toCheckoutItem(asked, inventory)),
    inventory,
  )
}

function toCheckoutItem({ item: { id }, quantity }: Asked, inventory: Inventory): CheckoutItem {
  const found = inventory.findOffer(id)
  if (found?.offer === undefined) return { product_id: id, quantity }
  const { article, offer } = found
  const variant = offer.id === article.id ? {} : { variant_id: offer.id }
  return { product_id: article.id, ...variant, quantity }
}

/** UCP has one code for items that are not available, for any reason. */
const codeOf = ({ code }: BasketFault): string =>
  code === 'out_of_stock' || code === 'too_many_items' ? code : 'item_unavailable'

type Choices = Pick<UcpSession, 'buyer' | 'destination' | 'optionId'>

function choices(wanted: CheckoutRequest, known: Destination | undefined): Choices {
  const method = wanted.fulfillment?.methods?.find(({ type = 'shipping' }) => type === 'shipping')
  return {
    buyer: wanted.buyer,
    destination: method && destinationOf(method, known),
    optionId: method?.groups?.[0]?.selected_option_id ?? undefined,
  }
}

/** The destination that is selected; without a selection the first, without any the one known. */
function destinationOf(method: Method, known: Destination | undefined): Destination | undefined {
  const { destinations, selected_destination_id: id } = method
  if (destinations === undefined) return known
  return destinations.find((each) => id != null && each.id === id) ?? destinations[0]
}
