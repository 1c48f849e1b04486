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

/** Stores write `instock` as well as `InStock`; both are found under the lower-case name. */
const NAMES = new Map([...AVAILABILITY.keys()].map((name) => [name.toLowerCase(), name]))

/**
 * The schema.org name of an availability as stores write it: `https://schema.org/InStock`, with
 * `http`, or the bare name, which Google's merchant listing documentation accepts too. Null for any
 * other text, such as `in stock`.
 */
export function readAvailability(written: string): string | null {
  const name = written.trim().replace(/^(?:(?:https?:)?\/\/(?:www\.)?schema\.org\/|schema:)/i, '')
  return NAMES.get(name.toLowerCase()) ?? null
}

/**
 * From a name that `readAvailability` returned to the catalog's value; null for a name that is not
 * listed.
 */
export const toCatalogAvailability = (name: string): Availability | null =>
  AVAILABILITY.get(name) ?? null

/**
 * The words of feeds and of Open Graph, in any spelling, and schema.org's: `in stock`, `In_Stock`,
 * `pre-order`, `oos`. Null for any other, such as `auf Lager`: it is not compared.
 * https://support.google.com/merchants/answer/6324448 and Meta's catalog, whose `available for
 * order` is what can be ordered and is not in stock.
 */
export function stockOf(written: string): Availability | null {
  const word = written
    .replace(/^.*[/#:]/, '')
    .replace(/[\s_-]/g, '')
    .toLowerCase()
  const name = NAMES.get(word)
  return name === undefined ? (OTHER_WORDS.get(word) ?? null) : toCatalogAvailability(name)
}

const OTHER_WORDS: ReadonlyMap<string, Availability> = new Map([
  ['available', 'in_stock'],
  ['availablefororder', 'backorder'],
  ['oos', 'out_of_stock'],
  ['unavailable', 'out_of_stock'],
])
