import { randomUUID } from 'node:crypto'
import { formatMoney, type Money } from '../../../../shared/commerce/product.ts'
import type { CheckoutItem, ShippingOption } from '../../../../shared/protocols/spec/ucp.ts'
import type { Db } from '../../../db/connect.ts'
import { isOfficialProtocol } from '../../db/statuses.ts'
import type {
  CheckoutSession,
  OfficialState,
  PartialAddress,
  SessionItem,
  Tx,
} from '../../db/tables.ts'
import { availableOn, variantName } from '../../shop/assortment.ts'
import { type Inventory, readInventory } from '../../shop/inventory.ts'
import { SHIPPING, TAX_PERCENT } from '../../shop/settings.ts'
import type { IdempotentCall } from '../idempotency.ts'
import type { CheckoutRefusal } from '../refusals.ts'
import { expiryFrom } from '../sessions.ts'
import { fillBasket, type Line, MAX_LINES } from './basket.ts'

/** A requested checkout, its address judged. */
export interface NewCheckout {
  protocol: CheckoutSession['protocol']
  host: string
  /** The history that the order will be in: only a hash. */
  buyer: string
  /** The name under which it is counted. */
  counted: string
  keyed: IdempotentCall | null
  items: readonly CheckoutItem[]
  address: PartialAddress
  attribution: Record<string, string> | null
  /** Prices it without storing or counting it. */
  dryRun: boolean
  /** An official dialect's own part, with the shipping option that it chose. */
  official?: {
    state: OfficialState
    shippingOptionId: string | null
    takesShort?: boolean
    /** An inventory with the products of these items, if the call has read one. */
    inventory?: Inventory
  }
}

/** The session for these items, at current prices and stock. */
export async function price(
  db: Db | Tx,
  checkout: NewCheckout,
  now: Date,
): Promise<CheckoutSession | CheckoutRefusal> {
  const { protocol, host, buyer, items, address, attribution, keyed, official } = checkout
  const priced = await priceItems(db, items, address, now, official)
  if ('code' in priced) return priced
  return {
    id: `checkout_${randomUUID()}`,
    protocol,
    status: 'pending_confirmation',
    host,
    buyer,
    ...priced,
    shipping_option_id: offeredOption(priced, official?.shippingOptionId ?? null),
    confirmed_option_id: null,
    attribution,
    created_at: now,
    expires_at: expiryFrom(protocol, now),
    completing_since: null,
    declines: 0,
    // In an official dialect a key belongs to one operation, and says nothing about another.
    create_key: isOfficialProtocol(protocol) ? null : (keyed?.key ?? null),
    official: official?.state ?? null,
    mandate: null,
  }
}

/** The parts of a session that depend on items and address. */
type Priced = Pick<
  CheckoutSession,
  'items' | 'address' | 'currency' | 'subtotal' | 'tax' | 'shipping_options'
>

/** A session's own items to another address, at the prices of their quote. */
export function requote(
  { items, currency, subtotal }: CheckoutSession,
  address: PartialAddress,
): Priced | CheckoutRefusal {
  const { tax, shipping_options } = quoteDelivery(subtotal, quotedCountry(address))
  const priced = { items, address, currency, subtotal, tax: tax.amount, shipping_options }
  return isTooDear(priced) ? TOO_DEAR : priced
}

/**
 * These items to this address, at current prices and stock. `takesShort`: also items with too
 * little stock. `inventory`: the current one, if it has been read.
 */
export async function priceItems(
  db: Db | Tx,
  items: readonly CheckoutItem[],
  address: PartialAddress,
  now: Date,
  { takesShort = false, inventory }: { takesShort?: boolean; inventory?: Inventory } = {},
): Promise<Priced | CheckoutRefusal> {
  const stocked = inventory ?? (await readInventory(db, idsOf(items)))
  const lines = fillBasket(items, stocked, takesShort)
  if ('code' in lines) return lines
  const { subtotal, tax, shipping_options } = quote(lines, quotedCountry(address))
  const priced = {
    items: lines.map((line) => itemOf(line, now)),
    address,
    currency: subtotal.currency,
    subtotal: subtotal.amount,
    tax: tax.amount,
    shipping_options,
  }
  return isTooDear(priced) ? TOO_DEAR : priced
}

/** The option, if it is offered for these items and this address; else null. */
export const offeredOption = (
  { shipping_options }: Pick<CheckoutSession, 'shipping_options'>,
  id: string | null,
): string | null => shipping_options.find((option) => option.id === id)?.id ?? null

/**
 * Stripe charges at most eight digits of the smallest unit (API reference, PaymentIntent, amount).
 */
const MAX_TOTAL = 99_999_999
const MOST = formatMoney({ amount: MAX_TOTAL, currency: SHIPPING.freeFrom.currency })

/** More than one payment can be. */
export const TOO_DEAR = {
  code: 'too_many_items',
  message: `An order can be worth at most ${MOST} with tax and shipping. Please split it into two orders.`,
  fields: ['items'],
} satisfies CheckoutRefusal

/** Whether a session could cost more than one payment can be, with its most expensive shipping. */
export const isTooDear = ({
  subtotal,
  tax,
  shipping_options,
}: Pick<Priced, 'subtotal' | 'tax' | 'shipping_options'>): boolean =>
  subtotal + tax + Math.max(0, ...shipping_options.map(({ cost }) => cost.amount)) > MAX_TOTAL

/** Capped, because a cart with more lines is rejected in any case. */
const idsOf = (items: NewCheckout['items']): string[] => [
  ...new Set(items.slice(0, MAX_LINES).map(({ product_id }) => product_id)),
]

function itemOf({ article, offer, quantity }: Line, now: Date): SessionItem {
  return {
    product_id: article.id,
    variant_id: offer.id === article.id ? null : offer.id,
    name: article.name,
    title: variantName(article, offer),
    quantity,
    unit_price: offer.price,
    available_on: availableOn(offer, now),
  }
}

interface Quote {
  subtotal: Money
  shipping_options: ShippingOption[]
  tax: Money
}

/** The price of the lines when they are sent to a country. */
export function quote(lines: readonly Line[], country: string): Quote {
  const { currency } = SHIPPING.freeFrom
  const amount = lines.reduce((sum, { offer, quantity }) => sum + offer.price.amount * quantity, 0)
  return { subtotal: { amount, currency }, ...quoteDelivery(amount, country) }
}

/** Shipping and tax of goods for this amount, in the smallest unit. */
export function quoteDelivery(amount: number, country: string): Omit<Quote, 'subtotal'> {
  const { currency } = SHIPPING.freeFrom
  const isDomestic = country === SHIPPING.country
  const tax = isDomestic ? Math.round((amount * TAX_PERCENT) / 100) : 0
  return {
    shipping_options: isDomestic ? domesticOptions(amount) : INTERNATIONAL_OPTIONS,
    tax: { amount: tax, currency },
  }
}

// Unspecified: while the country is unknown, the quote is that of the store's own country: an
// estimate that an agent can show and choose from. Nothing is charged before the country is known.
export const quotedCountry = ({ country }: PartialAddress): string => country ?? SHIPPING.country

const INTERNATIONAL_OPTIONS: ShippingOption[] = [
  { id: 'international', name: 'International (7 to 14 days)', cost: SHIPPING.international },
]

function domesticOptions(amount: number): ShippingOption[] {
  const { standard, express, freeFrom } = SHIPPING
  const cost = amount >= freeFrom.amount ? { ...standard, amount: 0 } : standard
  return [
    { id: 'standard', name: 'Standard (3 to 5 days)', cost },
    { id: 'express', name: 'Express (next working day)', cost: express },
  ]
}
