import type { Availability } from '../commerce/product.ts'

/**
 * schema.org's ItemAvailability (https://schema.org/ItemAvailability) in the four values of the
 * spec's catalog (spec, Product). Sold by one channel only still counts as in stock;
 * `Discontinued`, `Reserved` and `SoldOut` cannot be bought and count as out of stock.
 */
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

/** Shops write `instock` as well as `InStock`; both are found under the lower-case name. */
const NAMES = new Map([...AVAILABILITY.keys()].map((name) => [name.toLowerCase(), name]))

/**
 * The schema.org name of an availability as shops write it: `https://schema.org/InStock`, with
 * `http`, or the bare name, which Google's merchant listing documentation accepts too. Null for any
 * other text, such as `in stock`.
 */
export function readAvailability(written: string): string | null {
  const name = written.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '')
  return NAMES.get(name.toLowerCase()) ?? null
}

/**
 * From a name that `readAvailability` returned to the catalog's value; null for a name that is not
 * listed.
 */
export const toCatalogAvailability = (name: string): Availability | null =>
  AVAILABILITY.get(name) ?? null
