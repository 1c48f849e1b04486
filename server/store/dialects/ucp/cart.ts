import type { CheckoutItem } from '../../../../shared/protocols/spec/ucp.ts'
import type { UcpErrorMessage } from '../../../../shared/protocols/ucp/checkout.ts'
import { CART } from '../../../../shared/protocols/ucp/names.ts'
import { cartUrl } from '../../buyer/addresses.ts'
import { type CartAnswer, changeCart, createCart, findCart, NO_CART } from '../../checkout/carts.ts'
import { priceItems } from '../../checkout/steps/price.ts'
import { OFFICIAL_UCP } from '../../db/statuses.ts'
import type { Cart } from '../../db/tables.ts'
import type { JsonObject } from '../../http/store-request.ts'
import { CURRENCY } from '../../shop/assortment.ts'
import { type Inventory, inventoryOfIds } from '../../shop/inventory.ts'
import { platformState, refuseNew, separate, type UcpContext } from './checkout.ts'
import { type CartRequest, itemsOf } from './checkout-request.ts'
import { lineItem, ucpTotal } from './checkout-view.ts'
import { shownOf } from './destination.ts'
import {
  errorMessage,
  isRefusedCall,
  refusedCall,
  type UcpResult,
  ucpFailure,
  ucpOf,
} from './envelope.ts'
import { countedAs } from './negotiation/caller.ts'

/** `POST /carts`. Unavailable items are left out, and the answer says so. */
export async function createUcpCart(context: UcpContext, wanted: CartRequest): Promise<UcpResult> {
  const { deps, request, keyed, count } = context
  const content = await contentOf(context, wanted)
  const [first] = content.complaints
  if (content.items.length === 0 && first) return refuseNew(context, first)
  const answer = await createCart(deps, count, {
    protocol: OFFICIAL_UCP,
    keyed,
    host: request.host,
    platform: countedAs(context),
    ...content,
  })
  return show(context, answer, 201, content.complaints)
}

/** The cart at current prices. */
export async function getUcpCart(context: UcpContext, id: string): Promise<UcpResult> {
  const cart = await findCart(context.deps, OFFICIAL_UCP, id)
  return show(context, cart?.host === context.request.host ? { cart } : NO_CART)
}

/** Whether a cart is of another shop of the store: it does not exist for this one. */
async function isElsewhere({ deps, request }: UcpContext, id: string): Promise<boolean> {
  const cart = await findCart(deps, OFFICIAL_UCP, id)
  return cart !== null && cart.host !== request.host
}

/** `PUT`: replaces the cart. If no item is available it stays unchanged. */
export async function updateUcpCart(
  context: UcpContext,
  id: string,
  wanted: CartRequest,
): Promise<UcpResult> {
  const { deps, keyed } = context
  if (await isElsewhere(context, id)) return show(context, NO_CART)
  const { complaints, ...content } = await contentOf(context, wanted)
  const change = (cart: Cart) =>
    content.items.length > 0 ? content : { items: cart.items, state: cart.official }
  return show(
    context,
    await changeCart(deps, { protocol: OFFICIAL_UCP, keyed, id, change }),
    200,
    complaints,
  )
}

/** Cancels a cart, and shows it for the last time. */
export async function cancelUcpCart(context: UcpContext, id: string): Promise<UcpResult> {
  const { deps, keyed } = context
  if (await isElsewhere(context, id)) return show(context, NO_CART)
  const change = () => 'cancel' as const
  return show(context, await changeCart(deps, { protocol: OFFICIAL_UCP, keyed, id, change }))
}

async function contentOf(
  { deps, negotiated }: UcpContext,
  { line_items, buyer, context }: CartRequest,
) {
  const inventory = await inventoryOfIds(
    deps.db,
    line_items.map(({ item }) => item.id),
  )
  const { items, complaints } = await priceCart(deps, itemsOf(line_items, inventory), inventory)
  const isTold = context !== undefined && Object.keys(context).length > 0
  const shown = { ...(buyer && { buyer }), ...(isTold && { context }) }
  return { items, complaints, state: platformState(negotiated, shown) }
}

async function show(
  context: UcpContext,
  answer: CartAnswer,
  status = 200,
  complaints: readonly UcpErrorMessage[] = [],
): Promise<UcpResult> {
  if ('refused' in answer) {
    const gone = ucpFailure(context, 'not_found', 'There is no such cart, or it has expired.')
    const { refused } = answer
    return isRefusedCall(refused) ? refusedCall(refused) : { ...gone, isPassing: true }
  }
  const { request, negotiated } = context
  const { cart } = answer
  const { buyer, context: where } = shownOf(cart.official)
  const ids = cart.items.map(({ product_id }) => product_id)
  const inventory = await inventoryOfIds(context.deps.db, ids)
  const { priced, complaints: gone } = await priceCart(context.deps, cart.items, inventory)
  const { items = [], subtotal = 0 } = priced ?? {}
  const messages = [...complaints, ...gone]
  const body: JsonObject = {
    ucp: ucpOf(negotiated, 'success', CART),
    id: cart.id,
    currency: CURRENCY,
    line_items: items.map((item, index) => lineItem(request, item, index)),
    totals: [ucpTotal('subtotal', subtotal, 'Subtotal'), ucpTotal('total', subtotal, 'Total')],
    ...(buyer && { buyer }),
    ...(where && { context: where }),
    ...(messages.length > 0 && { messages: messages.map(errorMessage) }),
    continue_url: cartUrl(request.host, cart.items),
    expires_at: cart.expires_at.toISOString(),
  }
  return { status, body, of: { status, body: { cart_id: cart.id } } }
}

/** The available ones of these items, at current prices; nothing if the cart is too expensive. */
async function priceCart(
  { db, now }: UcpContext['deps'],
  asked: readonly CheckoutItem[],
  inventory: Inventory,
) {
  const { items, complaints } = separate(asked, inventory)
  const priced = items.length === 0 ? null : await priceItems(db, items, {}, now(), { inventory })
  if (priced === null || !('code' in priced)) return { items, priced, complaints }
  const { code, message: content } = priced
  const dear: UcpErrorMessage = { code, content, severity: 'recoverable', path: '$.line_items' }
  return { items: [], priced: null, complaints: [dear, ...complaints] }
}
