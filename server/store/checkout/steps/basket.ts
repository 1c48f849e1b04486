import type { CheckoutItem } from '../../../../shared/protocols/ucp.ts'
import type { Article, Offer } from '../../db/tables.ts'
import { offersOf } from '../../shop/assortment.ts'
import type { Inventory } from '../../shop/inventory.ts'

// Unspecified: a cart holds at most 100 lines, and 99 of each item.
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

/** Finds the requested items among the products in stock. */
export function fillBasket(
  items: readonly CheckoutItem[],
  inventory: Inventory,
): Line[] | BasketFault {
  if (items.length > MAX_LINES || items.some(({ quantity }) => quantity > MAX_QUANTITY)) {
    const message = `A cart takes at most ${MAX_LINES} items, each with a quantity of at most ${MAX_QUANTITY}.`
    return { code: 'too_many_items', message }
  }
  const lines: Line[] = []
  for (const item of items) {
    const line = findLine(item, inventory)
    if ('code' in line) return line
    lines.push(line)
  }
  const wanted = Map.groupBy(lines, ({ offer }) => offer.id)
  const soldOut = [...wanted.values()].flatMap((same) => {
    const pieces = same.reduce((sum, { quantity }) => sum + quantity, 0)
    return same.slice(0, pieces > inventory.left(same[0]?.offer.id ?? '') ? 1 : 0)
  })
  if (soldOut.length === 0) return lines
  const names = soldOut.map(({ article }) => article.name).join(', ')
  return {
    code: 'out_of_stock',
    message: `Not enough in stock: ${names}. Choose another variant, product or quantity.`,
    items: soldOut.map(({ offer }) => offer.id),
  }
}

function findLine(item: CheckoutItem, inventory: Inventory): Line | BasketFault {
  const { product_id, variant_id, quantity } = item
  const article = inventory.find(product_id)
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
