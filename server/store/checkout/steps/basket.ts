import type { CheckoutItem } from '../../../../shared/protocols/spec/ucp.ts'
import type { Article, Offer } from '../../db/tables.ts'
import { offersOf } from '../../shop/assortment.ts'
import type { Inventory } from '../../shop/inventory.ts'
import { listed } from '../refusals.ts'

// Unspecified: a cart holds at most 100 lines, and 99 of each product, over all of its lines and
// variants: otherwise a second line would order what one may not.
export const MAX_LINES = 100
export const MAX_QUANTITY = 99

export interface Line {
  article: Article
  offer: Offer
  quantity: number
}

/** Why these items cannot be a cart. `items` holds ids of variants that are sold out. */
export interface BasketFault {
  code:
    | 'too_many_items'
    | 'unknown_product'
    | 'variant_required'
    | 'unknown_variant'
    | 'out_of_stock'
  message: string
  detail?: string
  /** Dotted paths in the requested items, such as `items.0.variant_id`. */
  fields?: string[]
  items?: string[]
}

/**
 * Finds the requested items among the products in stock. With `takesShort` some may have too little
 * stock: the session can be shown, but not paid until there is enough.
 */
export function fillBasket(
  items: readonly CheckoutItem[],
  inventory: Inventory,
  takesShort = false,
): Line[] | BasketFault {
  const pieces = new Map<string, number>()
  for (const { product_id, quantity } of items) {
    pieces.set(product_id, (pieces.get(product_id) ?? 0) + quantity)
  }
  const tooMany = items.flatMap(({ product_id }, at) =>
    (pieces.get(product_id) ?? 0) > MAX_QUANTITY ? [`items.${at}.quantity`] : [],
  )
  if (items.length > MAX_LINES || tooMany.length > 0) {
    return {
      code: 'too_many_items',
      message: `An order can have at most ${MAX_LINES} different items, and ${MAX_QUANTITY} of each.`,
      fields: items.length > MAX_LINES ? ['items'] : tooMany,
      detail: `Send at most ${MAX_LINES} items, with quantities of at most ${MAX_QUANTITY} for each product.`,
    }
  }
  const lines: Line[] = []
  for (const [at, item] of items.entries()) {
    const line = findLine(item, at, inventory)
    if ('code' in line) return line
    lines.push(line)
  }
  if (takesShort) return lines
  const wanted = Map.groupBy(lines, ({ offer }) => offer.id)
  const soldOut = [...wanted.values()].flatMap((same) => {
    const pieces = same.reduce((sum, { quantity }) => sum + quantity, 0)
    return same.slice(0, pieces > inventory.left(same[0]?.offer.id ?? '') ? 1 : 0)
  })
  if (soldOut.length === 0) return lines
  const names = listed(soldOut.map(({ article }) => article.name))
  return {
    code: 'out_of_stock',
    message: `We do not have enough in stock: ${names}. Please choose fewer, or something else.`,
    items: soldOut.map(({ offer }) => offer.id),
  }
}

function findLine(item: CheckoutItem, at: number, inventory: Inventory): Line | BasketFault {
  const { product_id, variant_id, quantity } = item
  const article = inventory.find(product_id)
  if (article === undefined) {
    return {
      code: 'unknown_product',
      message: 'We do not have one of these products. Please choose another one.',
      fields: [`items.${at}.product_id`],
      detail: `items.${at}.product_id is not in the catalog. Read the catalog again.`,
    }
  }
  const { name, variants } = article
  const field = `items.${at}.variant_id`
  const choice = listed(Object.keys(variants[0]?.attributes ?? {}))
  if (variants.length > 0 && variant_id === undefined) {
    return {
      code: 'variant_required',
      message: `Please choose a ${choice} for the ${name}.`,
      fields: [field],
      detail: `Set ${field} to the id of one of the product's variants.`,
    }
  }
  const offer = offersOf(article).find(({ id }) => id === (variant_id ?? product_id))
  if (offer === undefined) {
    return {
      code: 'unknown_variant',
      message: choice
        ? `The ${name} does not come like this. Please choose another ${choice}.`
        : `There is nothing to choose for the ${name}: it comes in one version.`,
      fields: [field],
      detail: choice
        ? `${field} is not in the catalog. Use the id of one of the product's variants.`
        : `The product has no variants: leave ${field} out.`,
    }
  }
  return { article, offer, quantity }
}
