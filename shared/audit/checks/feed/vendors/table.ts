import type { FeedRow, RowFault } from '../../../../commerce/feed.ts'
import { isSameAmount, readFeedPrice } from '../../../../commerce/price-text.ts'

/** The form that a value must have. */
export type ValueKind =
  | 'text'
  | 'name'
  | 'url'
  | 'price'
  | 'fee'
  | 'one_of'
  | 'boolean'
  | 'lower_boolean'
  | 'gtin'
  | 'date'
  | 'dates'
  | 'count'
  | 'rating'
  | 'country'
  | 'shipping'
  | 'category'
  | 'map'

/** One field of a vendor's feed. */
export interface FeedField {
  name: string
  /** Older names of it, which are still read. */
  also?: readonly string[]
  /** `conditional`: what it depends on is one of the table's conditions. */
  need: 'required' | 'conditional' | 'recommended' | 'optional'
  kind: ValueKind
  /** Characters. */
  most?: number
  /** In lower case, with underscores for spaces. */
  one_of?: readonly string[]
  /** With one of these in its row a price may be 0: what is paid stands there. */
  free_with?: readonly string[]
  /** The vendor's page about it. */
  source: string
}

/** What a vendor demands of a row. */
export interface VendorTable {
  /** The vendor's name as it is shown. */
  vendor: string
  fields: readonly FeedField[]
  /** What depends on several values of one row. */
  conditions: (value: (name: string) => string | undefined) => RowFault[]
  /** What names the products of one group, and what tells them apart. */
  group: string
  variant: readonly string[]
}

/** The value of a field, under any of its names. */
export function statedValue(row: FeedRow, { name, also = [] }: Pick<FeedField, 'name' | 'also'>) {
  const found = [name, ...also].find((each) => row.get(each))
  return found === undefined ? undefined : row.get(found)
}

/** Makes the rows of a table that stand on one page of its vendor; `more` may name another. */
export const fieldsOf =
  (source: string) =>
  (
    name: string,
    need: FeedField['need'],
    kind: FeedField['kind'],
    more: Partial<FeedField> = {},
  ): FeedField => ({ name, need, kind, source, ...more })

/** A sale that no vendor shows: dearer than without it, or in other money. */
export function saleFaults(value: (name: string) => string | undefined): RowFault[] {
  const [written, full] = [value('sale_price'), value('price')]
  if (written === undefined || full === undefined) return []
  const [sale, price] = [readFeedPrice(written), readFeedPrice(full)]
  const { currency } = price
  if (sale.decimals.length === 0 || price.decimals.length === 0 || currency === null) return []
  const fault = (expected: string): RowFault[] => [
    { field: 'sale_price', kind: 'sale', value: written, expected },
  ]
  if (sale.currency !== null && sale.currency !== currency) {
    return fault(`the currency of price, ${currency}`)
  }
  // Equal prices are how shop software writes that there is no sale. Where an amount may be read in
  // two ways, neither may be less.
  const isDearer = (one: string, other: string) =>
    Number(one) > Number(other) && !isSameAmount(one, other, currency)
  return sale.decimals.every((one) => price.decimals.every((other) => isDearer(one, other)))
    ? fault('less than price')
    : []
}
