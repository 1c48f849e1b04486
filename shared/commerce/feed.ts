/**
 * The feed formats that are read, as a person names them: those of vendors, and those that two shop
 * platforms publish.
 */
export const FEED_KINDS = {
  rss: 'RSS 2.0',
  atom: 'Atom',
  tsv: 'tab-separated values',
  csv: 'comma-separated values',
  jsonl: 'JSON Lines',
  json: 'a JSON list',
  parquet: 'Parquet',
  shopify: 'Shopify products.json',
  woocommerce: 'WooCommerce Store API',
} as const
export type FeedKind = keyof typeof FEED_KINDS

/** Whose rules a feed follows, recognised by its column names. */
export type FeedVendor = 'google' | 'openai'

/**
 * A product in a merchant feed, under Google Merchant Center's attribute names
 * (https://support.google.com/merchants/answer/7052112) for every format; null if absent. Values as
 * written, not validated; long ones are cut.
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
  /** The price while a sale is on, in the form of `price`. */
  sale_price: string | null
  brand: string | null
  gtin: string | null
  mpn: string | null
}

/**
 * The values of one row under the feed's own names: `shipping(price)` is the `g:price` within a
 * `g:shipping`.
 */
export type FeedRow = ReadonlyMap<string, string>

/** The faults of a value or a row; one rule reports each. */
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
  /** As written; null if absent. */
  value: string | null
  /** In words that follow "expected". */
  expected: string
}

/** Equal faults of several rows, counted. */
export interface FaultCount {
  field: string
  kind: RowFaultKind
  expected: string
  count: number
  /** The first three. */
  examples: { row: number; id: string | null; value: string | null }[]
}

/** Totals over all rows that were read; its size does not grow with the feed. */
export interface FeedTally {
  rows: number
  /** Rows that lack a required value. */
  incomplete: number
  /** Rows with a GTIN, and with an id. */
  with_gtin: number
  with_id: number
  faults: FaultCount[]
  opt_ins: FeedOptIns
}

/** Rows that say where they may be shown and sold; 0 in a platform's list. */
export interface FeedOptIns {
  /** Rows that opt in to the vendor's checkout, and those of them that have everything it needs. */
  checkout: number
  checkout_ready: number
  /** Rows that opt out of it explicitly. */
  checkout_off: number
  /** Rows that may be shown in search, and those of them with every required value. OpenAI only. */
  search: number
  search_ready: number
  /** Rows with a legal notice, and those of them that lack its kind or its text. Google only. */
  notices: number
  notices_broken: number
}
