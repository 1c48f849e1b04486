import { basketUrl } from '../../buyer/addresses.ts'
import { type CartAnswer, changeCart, createCart, findCart } from '../../checkout/carts.ts'
import { answerOnce } from '../../checkout/idempotency.ts'
import { priceItems } from '../../checkout/steps/price.ts'
import { OFFICIAL_ACP } from '../../db/statuses.ts'
import type { Cart, OfficialState } from '../../db/tables.ts'
import { CURRENCY } from '../../shop/assortment.ts'
import { inventoryOfIds } from '../../shop/inventory.ts'
import { type AcpAnswer, type AcpFault, faultAnswer, faultOf } from './answers.ts'
import { type AcpCall, type AcpContext, keyedAcpCall } from './caller.ts'
import { AcpCartRequest, readAcp } from './requests.ts'
import { goodsTotals, idsAsked, itemIdOf, readAcpItems } from './session/items.ts'
import { shortages } from './session/messages.ts'
import { acpLineItem } from './session/session-view.ts'
import { acpState } from './session/state.ts'

/** `POST /carts`: 201; items with too little stock stay in it, and the answer lists them. */
export async function createAcpCart(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const { deps, count } = context
  const { host, caller } = call
  return answerOnce(deps, keyedAcpCall(call, `create_cart:${host}`), async (keyed) => {
    const content = await contentOf(context, call)
    if ('fault' in content) return faultAnswer(content.fault)
    const { platform } = caller
    const cart = { protocol: OFFICIAL_ACP, keyed, host, platform, ...content } as const
    return show(context, await createCart(deps, count, cart), 201)
  })
}

/** `GET /carts/{id}`, at current prices: 404 once it is canceled or expired. */
export async function getAcpCart(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const cart = await ownCart(context, call)
  return cart ? show(context, { cart }) : faultAnswer(NO_CART)
}

/** `PUT /carts/{id}`: replaces its content. */
export async function updateAcpCart(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const { deps } = context
  const { id } = call
  return answerOnce(deps, keyedAcpCall(call, `update_cart:${id}`), async (keyed) => {
    if (!(await ownCart(context, call))) return faultAnswer(NO_CART)
    const content = await contentOf(context, call)
    if ('fault' in content) return faultAnswer(content.fault)
    const change = () => content
    return show(context, await changeCart(deps, { protocol: OFFICIAL_ACP, keyed, id, change }))
  })
}

/** `POST /carts/{id}/cancel`: shows it for the last time. */
export async function cancelAcpCart(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const { deps } = context
  const { id } = call
  return answerOnce(deps, keyedAcpCall(call, `cancel_cart:${id}`), async (keyed) => {
    if (!(await ownCart(context, call))) return faultAnswer(NO_CART)
    const change = () => 'cancel' as const
    return show(context, await changeCart(deps, { protocol: OFFICIAL_ACP, keyed, id, change }))
  })
}

const NO_CART: AcpFault = {
  status: 404,
  code: 'not_found',
  message: 'No cart of yours has this id, or it has expired. Create a new one.',
}

const SOLD_OUT: AcpFault = {
  status: 422,
  code: 'out_of_stock',
  message: 'All of these items are sold out. Please choose something else.',
  param: '$.line_items',
}

/** Like a session, a cart belongs to the credential that opened it, at that host. */
async function ownCart({ deps }: AcpContext, { id, host, caller }: AcpCall): Promise<Cart | null> {
  const cart = await findCart(deps, OFFICIAL_ACP, id)
  return cart?.host === host && cart.official.platform === caller.platform ? cart : null
}

async function contentOf({ deps }: AcpContext, { body, caller }: AcpCall) {
  const read = readAcp(AcpCartRequest, body)
  if ('fault' in read) return read
  const { line_items, buyer } = read.data
  const inventory = await inventoryOfIds(deps.db, idsAsked(line_items))
  const asked = readAcpItems(line_items, inventory)
  if ('fault' in asked) return asked
  const { items } = asked
  const priced = await priceItems(deps.db, items, {}, deps.now(), { takesShort: true, inventory })
  if ('code' in priced) {
    const message = priced.detail ?? priced.message
    const fault: AcpFault = {
      status: 400,
      code: 'quantity_exceeded',
      message,
      param: '$.line_items',
    }
    return { fault }
  }
  if (priced.items.every((item) => inventory.left(itemIdOf(item)) === 0)) {
    return { fault: SOLD_OUT }
  }
  const { version, platform } = caller
  const state: OfficialState = {
    version,
    platform,
    webhook_url: null,
    shown: { ...(buyer && { buyer }) },
  }
  return { items, state }
}

/** The cart at current prices: estimates, before shipping and tax. */
async function show({ deps }: AcpContext, answer: CartAnswer, status = 200): Promise<AcpAnswer> {
  if ('refused' in answer) {
    const { refused } = answer
    const isGone = refused.code === 'session_not_found'
    return faultAnswer(isGone ? NO_CART : faultOf(refused, refused.retryAfter))
  }
  const { cart } = answer
  const inventory = await inventoryOfIds(
    deps.db,
    cart.items.map(({ product_id }) => product_id),
  )
  const pricing = { takesShort: true, inventory }
  const priced = await priceItems(deps.db, cart.items, {}, deps.now(), pricing)
  // A cart whose product left the catalog is gone, too.
  if ('code' in priced) return faultAnswer(NO_CART)
  const { buyer } = acpState(cart)
  const body = {
    id: cart.id,
    line_items: priced.items.map((item) => acpLineItem(item, cart.host, inventory, true)),
    ...(buyer && { buyer }),
    currency: CURRENCY.toLowerCase(),
    totals: goodsTotals(priced.subtotal),
    messages: shortages(priced, inventory),
    continue_url: basketUrl(cart.host, cart.items),
    expires_at: cart.expires_at.toISOString(),
  }
  return { status, text: JSON.stringify(body), of: { status, body: { cart_id: cart.id } } }
}
