import type { Availability } from '../commerce/product.ts'

/** schema.org's ItemAvailability, in the terms of the catalog; null where it has none. */
const AVAILABILITY: ReadonlyMap<string, Availability | null> = new Map([
  ['BackOrder', 'backorder'],
  ['Discontinued', 'out_of_stock'],
  ['InStock', 'in_stock'],
  ['InStoreOnly', 'in_stock'],
  ['LimitedAvailability', 'in_stock'],
  ['MadeToOrder', 'backorder'],
  ['OnlineOnly', 'in_stock'],
  ['OutOfStock', 'out_of_stock'],
  ['PreOrder', 'preorder'],
  ['PreSale', 'preorder'],
  ['Reserved', 'out_of_stock'],
  ['SoldOut', 'out_of_stock'],
])

const NAMES = new Map([...AVAILABILITY.keys()].map((name) => [name.toLowerCase(), name]))

/**
 * The name of an ItemAvailability written as `https://schema.org/InStock`, with http, or bare; null
 * for anything else.
 */
export function readAvailability(written: string): string | null {
  const name = written.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '')
  return NAMES.get(name.toLowerCase()) ?? null
}

export const toCatalogAvailability = (name: string): Availability | null =>
  AVAILABILITY.get(name) ?? null
