import type { FeedKind, FeedRow, RowFault, RowFaultKind } from '../../../../commerce/feed.ts'
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
  | 'gtins'
  | 'amount'
  | 'date'
  | 'dates'
  | 'count'
  | 'rating'
  | 'country'
  | 'countries'
  | 'decimal'
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
  least?: number
  most?: number
  /** In lower case, with underscores for spaces. */
  one_of?: readonly string[]
  /** With one of these in its row a price may be 0: what is paid stands there. */
  free_with?: readonly string[]
  /** A value that cannot be read leaves the row out, although the field is not required. */
  refused?: true
  /** Only the newer of the vendor's pages has it. */
  newer?: true
  /** The vendor's page about it. */
  source: string
}

/** What a vendor demands of a row. */
export interface VendorTable {
  /** The vendor's name as it is shown. */
  vendor: string
  /** Its page with the rules, and the day on which that was read. */
  page: string
  read: string
  /** What to know before a feed is uploaded there, as sentences. */
  note?: string
  /** An older page of the vendor, which does not ask for the fields that are `newer`. */
  older?: string
  /** The formats that it takes; left out where its pages, as far as they were read, do not say. */
  formats?: readonly FeedKind[]
  /** Faults for which its page says that the row is refused, whichever field has them. */
  refuses?: readonly RowFaultKind[]
  fields: readonly FeedField[]
  /** A row that asks for its product to be removed: nothing but its id is read. */
  removed?: (row: FeedRow) => boolean
  /** What depends on several values of one row. */
  conditions: (value: (name: string) => string | undefined) => RowFault[]
  /** What names the products of one group, and what tells them apart. */
  group: string
  variant: readonly string[]
}

/** The value of a field, under any of its names. */
export function statedValue(row: FeedRow, { name, also }: Pick<FeedField, 'name' | 'also'>) {
  const value = row.get(name)
  if (value || also === undefined) return value || undefined
  const found = also.find((each) => row.get(each))
  const stated = found === undefined ? undefined : row.get(found)
  return found?.startsWith('structured_') ? stated?.replace(MADE_BY, '') : stated
}

/** Google writes before a text how it was made: `trained_algorithmic_media:"Boots"`. */
const MADE_BY = /^(?:default|trained_algorithmic_media)?:"?|"$/gi

/**
 * Whether a fault keeps its row from being listed by the vendor: a required value that is missing
 * or cannot be read, the id of another row, or what its page says it refuses. A title that is too
 * long is cut, and does not.
 */
export function leavesOut(
  { field, kind, value }: Pick<RowFault, 'field' | 'kind'> & Partial<Pick<RowFault, 'value'>>,
  table: VendorTable,
): boolean {
  // An ISBN of ten digits is to be converted, and is not refused.
  if (kind === 'gtin' && isShortIsbn(value ?? '')) return false
  if (kind === 'missing' || kind === 'duplicate' || table.refuses?.includes(kind)) return true
  if (kind !== 'invalid') return false
  const rule = table.fields.find(({ name }) => name === field)
  return rule?.need === 'required' || rule?.refused === true
}

/** A book's number as it was until 2007: it is not a GTIN. */
export const isShortIsbn = (text: string): boolean =>
  /^\d{9}[\dX]$/i.test(text.replaceAll(/[\s-]/g, ''))

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
