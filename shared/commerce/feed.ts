/**
 * The forms of a product feed that are read: the vendors' own formats, and what two shop platforms
 * publish.
 */
export type FeedKind = 'rss' | 'atom' | 'tsv' | 'csv' | 'jsonl' | 'json' | 'shopify' | 'woocommerce'

/** Whose rules a feed follows, as its names show. */
export type FeedVendor = 'google' | 'openai'

/**
 * A product in a merchant feed, in Google Merchant Center's attribute names
 * (https://support.google.com/merchants/answer/7052112) whatever the feed's own; null where absent.
 * Values as written, not validated; long ones are cut.
 */
export interface FeedItem {
  /** Position in the feed, from 1: the header of a table does not count. */
  row: number
  id: string | null
  title: string | null
  description: string | null
  link: string | null
  image_link: string | null
  availability: string | null
  /** As written, such as `79.95 AUD`. */
  price: string | null
  /** What the page charges while a sale is on, in the form of `price`. */
  sale_price: string | null
  brand: string | null
  gtin: string | null
  mpn: string | null
}

/**
 * The values of one row under the names of its feed: `shipping(price)` is the `g:price` within a
 * `g:shipping`.
 */
export type FeedRow = ReadonlyMap<string, string>

/** What can be wrong with a value or a row; one rule reports each. */
export type RowFaultKind =
  | 'missing'
  | 'invalid'
  | 'too_long'
  | 'gtin'
  | 'identifiers'
  | 'dates'
  | 'sale'
  | 'eligibility'
  | 'variants'
  | 'duplicate'

/** One thing that is wrong with a row. */
export interface RowFault {
  field: string
  kind: RowFaultKind
  /** As written; null where there is none. */
  value: string | null
  /** In words that follow "expected". */
  expected: string
}

/** Equal faults of many rows, counted. */
export interface FaultCount {
  field: string
  kind: RowFaultKind
  expected: string
  count: number
  /** The first three. */
  examples: { row: number; id: string | null; value: string | null }[]
}

/** What was seen of all rows that were read: it does not grow with the feed. */
export interface FeedTally {
  rows: number
  /** Rows with at least one required value missing. */
  incomplete: number
  /** Rows that state a GTIN, and an id. */
  with_gtin: number
  with_id: number
  faults: FaultCount[]
  opt_ins: FeedOptIns
}

/** How many rows say of themselves where they may be shown and sold; 0 in a platform's list. */
export interface FeedOptIns {
  /** Rows that opt in to the vendor's checkout; of them, those that have all that it needs. */
  checkout: number
  checkout_ready: number
  /** Rows that opt out of it, in words. */
  checkout_off: number
  /** Rows that may be shown in search; of them, those with every required value. OpenAI alone. */
  search: number
  search_ready: number
  /** Rows with a legal notice; of them, those that lack its kind or its text. Google alone. */
  notices: number
  notices_broken: number
}
