import {
  countRow,
  emptyTally,
  type TallyState,
} from '../../../../shared/audit/checks/feed/tally.ts'
import type {
  FeedItem,
  FeedKind,
  FeedRow,
  FeedTally,
  FeedVendor,
} from '../../../../shared/commerce/feed.ts'
import { MAX_ADDRESS } from '../../../../shared/web/address/uri.ts'

/** What was read of one text of any kind. */
export interface FeedRead {
  /** Null: this is not a product feed. */
  kind: FeedKind | null
  /** Whose names its rows have; null for a platform's list, and for names of no vendor. */
  vendor: FeedVendor | null
  /** In the order of the feed, at most `MAX_ITEMS`; those before a fault are kept. */
  items: FeedItem[]
  tally: FeedTally
  /** Why the feed could not be read to its end, and where. */
  problem: string | null
  /** Which limit of ours ended the reading, in words that follow "because of"; null at its end. */
  cut: string | null
}

/** What follows a part: another one, the end of the feed, or our limit. */
export type Followed = 'more' | 'end' | 'cut'

/** A table between two parts. */
export interface TableState {
  is: 'table'
  delimiter: string
  columns: string[]
  /** Lines that were read. */
  lines: number
}

/** How products follow each other: one a line, in a list, or in the list `products`. */
export type ListShape = 'lines' | 'list' | 'products'

/** A list of products between two parts. */
export interface JsonState {
  is: 'json'
  shape: ListShape
  /** Products that were read, each of which may be several rows or none. */
  products: number
}

/** A feed in XML between two parts. */
export interface XmlState {
  is: 'xml'
  root: 'rss' | 'atom' | null
  /** The elements that are open, and the lines in which they begin. */
  open: { name: string; line: number }[]
  /** Where the next part begins: a line from 1, a column from 0. */
  line: number
  column: number
  /** Prefixes bound to Google's namespace; the empty one is the default namespace. */
  prefixes: string[]
  /** The namespace was declared, and an item used it. */
  declared: boolean
  used: boolean
}

/**
 * All that is known between two parts of a feed. Plain data, because each part may be read by
 * another worker, and of bounded size, however long the feed is.
 */
export interface FeedState {
  /** What the last part left: the beginning of a row. */
  tail: string
  form: XmlState | TableState | JsonState | null
  kind: FeedKind | null
  vendor: FeedVendor | null
  problem: string | null
  /** No more text is needed. */
  done: boolean
  /** It was `MAX_ROWS` that ended the reading. */
  full: boolean
  tally: TallyState
}

export const firstState = (): FeedState => ({
  tail: '',
  form: null,
  kind: null,
  vendor: null,
  problem: null,
  done: false,
  full: false,
  tally: emptyTally(),
})

// Unspecified: the first 200 items of a feed are compared with pages and catalog. All rows are
// judged, but those beyond the first 100,000: by then each fault of a shop has shown.
export const MAX_ITEMS = 200
export const MAX_ROWS = 100_000

/** Characters of one row: a missing quotation mark turns the rest of a file into one. */
export const MAX_RECORD = 500_000

/**
 * The characters read of a value, so that what is too long shows as such. The longest that a vendor
 * takes is 5,000.
 */
const MAX_VALUE = 20_000

/** The characters kept of a value, but for addresses. */
const MAX_KEPT = 300

/** What a reader gives for a text that is not a product feed. */
export const notAFeed = (): FeedRead => {
  const { ids, variants, ...tally } = emptyTally()
  return { kind: null, vendor: null, items: [], tally, problem: null, cut: null }
}

/** What was read of a feed, after its last part. `cut` says which limit of ours ended it. */
export function feedOf(state: FeedState, items: FeedItem[], cut: string | null): FeedRead {
  const { kind, vendor, problem, full } = state
  if (kind === null) return notAFeed()
  const { ids, variants, ...tally } = state.tally
  const limit = full ? 'its number of rows' : cut
  return { kind, vendor, problem, tally, items: items.slice(0, MAX_ITEMS), cut: limit }
}

/** Where a reader puts the rows of one part. */
export interface Rows {
  /** False: enough were read. */
  take(values: Iterable<readonly [string, string]>): boolean
}

/** The values of a row by their names: the first of each, without what is empty. */
export function rowFrom(values: Iterable<readonly [string, string]>): Map<string, string> {
  const row = new Map<string, string>()
  for (const [name, value] of values) {
    const text = value.trim().slice(0, MAX_VALUE)
    if (text !== '' && !row.has(name)) row.set(name, text)
  }
  return row
}

/** Judges each row as it comes, and keeps the first as items. */
export function rowsOf(state: FeedState, items: FeedItem[]): Rows {
  return {
    take(values) {
      const row = rowFrom(values)
      countRow(state.tally, row, state.vendor)
      if (state.tally.rows <= MAX_ITEMS) items.push(toItem(state.tally.rows, row))
      if (state.tally.rows < MAX_ROWS) return true
      state.full = true
      state.done = true
      return false
    },
  }
}

/** An item under Google's names from a row under its own. */
export function toItem(row: number, values: FeedRow): FeedItem {
  const value = (most: number, ...names: string[]) => {
    const name = names.find((each) => values.has(each))
    return name === undefined ? null : (values.get(name)?.slice(0, most) ?? null)
  }
  return {
    row,
    id: value(MAX_KEPT, 'id', 'item_id', 'sku'),
    title: value(MAX_KEPT, 'title'),
    description: value(MAX_KEPT, 'description'),
    link: value(MAX_ADDRESS, 'link', 'url'),
    image_link: value(MAX_ADDRESS, 'image_link', 'image_url'),
    availability: value(MAX_KEPT, 'availability'),
    price: value(MAX_KEPT, 'price'),
    sale_price: value(MAX_KEPT, 'sale_price'),
    brand: value(MAX_KEPT, 'brand'),
    gtin: value(MAX_KEPT, 'gtin'),
    mpn: value(MAX_KEPT, 'mpn'),
  }
}

/** Merchants write `image_link`, `image link`, `Image Link` and `g:image_link`. */
export const attributeName = (written: string): string =>
  written
    .replace(/["\uFEFF]/g, '')
    .trim()
    .toLowerCase()
    .replace(/^g:/, '')
    .replace(/[\s-]+/g, '_')

/** Whether fields of these names describe a product. */
export const describeProduct = (names: readonly string[]): boolean =>
  (names.includes('id') || names.includes('item_id')) &&
  ['title', 'link', 'price'].some((name) => names.includes(name))

/** Names that only OpenAI's feed has, and those that no feed for Google has. */
const OF_OPENAI =
  /^(?:item_id|is_eligible_\w+|enable_(?:search|checkout)|seller_(?:name|tos|privacy_policy)|variant_dict|listing_has_variations)$/
const OF_OTHERS = /^(?:fb_|quantity_to_sell_on_facebook)/
const OF_GOOGLE = ['image_link', 'link', 'availability', 'google_product_category']

/** Whose feed has these names, null if it could be anybody's. */
export function vendorOf(names: readonly string[]): FeedVendor | null {
  if (names.some((name) => OF_OPENAI.test(name))) return 'openai'
  if (names.some((name) => OF_OTHERS.test(name))) return null
  return OF_GOOGLE.filter((name) => names.includes(name)).length >= 2 ? 'google' : null
}
