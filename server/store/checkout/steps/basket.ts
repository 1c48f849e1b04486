import type { Money } from '../../../../shared/commerce/product.ts'
import type { CheckoutItem, ShippingOption } from '../../../../shared/protocols/ucp.ts'
import type { Article, Offer } from '../../db/tables.ts'
import { offersOf } from '../../shop/assortment.ts'
import type { Shelf } from '../../shop/inventory.ts'
import { SHIPPING, TAX_PERCENT } from '../../shop/settings.ts'

// Unspecified: how many items a cart holds.
export const MAX_LINES = 100
export const MAX_QUANTITY = 99

export interface Line {
  article: Article
  offer: Offer
  quantity: number
}

/** Why a cart cannot be made of these items. `items` holds ids of variants that are sold out. */
export interface BasketFault {
  code:
    | 'too_many_items'
    | 'unknown_product'
    | 'variant_required'
    | 'unknown_variant'
    | 'out_of_stock'
  message: string
  items?: string[]
}

/** Finds what is asked for on the shelf. */
export function fillBasket(items: readonly CheckoutItem[], shelf: Shelf): Line[] | BasketFault {
  if (items.length > MAX_LINES || items.some(({ quantity }) => quantity > MAX_QUANTITY)) {
    const message = `A cart holds at most ${MAX_LINES} items, and ${MAX_QUANTITY} of each.`
    return { code: 'too_many_items', message }
  }
  const lines: Line[] = []
  for (const item of items) {
    const line = findLine(item, shelf)
    if ('code' in line) return line
    lines.push(line)
  }
  const wanted = Map.groupBy(lines, ({ offer }) => offer.id)
  const gone = [...wanted.values()].flatMap((same) => {
    const pieces = same.reduce((sum, { quantity }) => sum + quantity, 0)
    return same.slice(0, pieces > shelf.left(same[0]?.offer.id ?? '') ? 1 : 0)
  })
  if (gone.length === 0) return lines
  const names = gone.map(({ article }) => article.name).join(', ')
  return {
    code: 'out_of_stock',
    message: `Not enough in stock: ${names}. Choose another variant, product or quantity.`,
    items: gone.map(({ offer }) => offer.id),
  }
}

function findLine(item: CheckoutItem, shelf: Shelf): Line | BasketFault {
  const { product_id, variant_id, quantity } = item
  const article = shelf.find(product_id)
  if (article === undefined) {
    const message = 'A product in this cart is not in the catalog. Read the catalog again.'
    return { code: 'unknown_product', message }
  }
  const { name, variants } = article
  if (variants.length > 0 && variant_id === undefined) {
    const message = `${name} comes in variants. Send the variant_id of one of them.`
    return { code: 'variant_required', message }
  }
  const offer = offersOf(article).find(({ id }) => id === (variant_id ?? product_id))
  if (offer === undefined) {
    const message = `${name} does not come in this variant. Use a variant id from the catalog.`
    return { code: 'unknown_variant', message }
  }
  return { article, offer, quantity }
}

export interface Quote {
  subtotal: Money
  shipping_options: ShippingOption[]
  tax: Money
}

/** What the lines cost when they are sent to a country. */
export function quote(lines: readonly Line[], country: string): Quote {
  const { currency } = SHIPPING.freeFrom
  const amount = lines.reduce((sum, { offer, quantity }) => sum + offer.price.amount * quantity, 0)
  const isDomestic = country === SHIPPING.country
  const tax = isDomestic ? Math.round((amount * TAX_PERCENT) / 100) : 0
  return {
    subtotal: { amount, currency },
    shipping_options: isDomestic ? domesticOptions(amount) : INTERNATIONAL_OPTIONS,
    tax: { amount: tax, currency },
  }
}

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
